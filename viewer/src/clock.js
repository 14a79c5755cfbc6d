// Which frame is shown, and how it goes on by itself.

/** Time that the whole run takes at each speed, s; the fifth is the default. */
export const WHOLE_RUN = [240, 120, 60, 30, 15, 8, 4, 2];

export class Clock {
  /** `route` says which frames may be shown: `settle(frame)` and `stepped(frame, by)`. */
  constructor(run, route) {
    this.run = run;
    this.route = route;
    // Who follows a run wants to see where it is.
    this.frame = run.setting.live ? run.frames - 1 : 0;
    this.playing = false;
    this.speed = 4;
    /** Played over and over between two frames; without an end, to the last. */
    this.loop = { on: false, from: 0, to: null };
    this.played = this.time;
  }

  get time() {
    return this.run.times[this.frame];
  }

  /** The first and the last frame of what is played. */
  get span() {
    const last = this.run.frames - 1;
    const { on, from, to } = this.loop;
    return on ? [Math.min(from, last), Math.min(to ?? last, last)] : [0, last];
  }

  go(frame) {
    this.frame = this.route.settle(Math.min(this.run.frames - 1, Math.max(0, Math.round(frame))));
    this.played = this.time;
  }

  step(by) {
    this.go(this.route.stepped(this.frame, by));
  }

  start() {
    const [first, last] = this.span;
    const waits = this.run.setting.live && !this.loop.on;
    if (this.frame < first || this.frame > last || (this.frame === last && !waits)) this.go(first);
    this.playing = true;
    this.played = this.time;
    this.tick = undefined;
  }

  /** Goes on to the time of a tick, ms; ends at the last frame, or begins anew. */
  advance(now) {
    const seconds = Math.min(0.1, (now - (this.tick ?? now)) / 1000);
    this.tick = now;
    const { times } = this.run;
    const [first, last] = this.span;
    this.played += (seconds * (times.at(-1) - times[0])) / WHOLE_RUN[this.speed];
    if (this.played >= times[last]) {
      if (this.loop.on && last > first) {
        const length = times[last] - times[first];
        this.played = times[first] + ((this.played - times[first]) % length);
      } else {
        this.played = times[last];
        if (!this.run.setting.live || this.run.ended) this.playing = false;
      }
    }
    this.frame = this.route.settle(this.run.nearest(this.played));
  }

  /** Frames of a film of what is played, and how many a second: as many as are shown, at most `most` a second. */
  film(most) {
    const { times } = this.run;
    const [first, last] = this.span;
    const whole = times.at(-1) - times[0];
    const seconds = whole > 0 ? (WHOLE_RUN[this.speed] * (times[last] - times[first])) / whole : 0;
    const rate = Math.min(most, Math.max(1, (last - first) / (seconds || 1)));
    const count = Math.max(1, Math.round(seconds * rate));
    const frames = Array.from({ length: count + 1 }, (_, i) => this.route.settle(this.run.nearest(times[first] + ((times[last] - times[first]) * i) / count)));
    return { frames, rate };
  }

  /** Puts an end of the loop at a frame; the other end gives way. */
  mark(end, frame) {
    const last = this.run.frames - 1;
    const { loop } = this;
    loop[end] = frame;
    if (end === "from" && (loop.to ?? last) <= frame) loop.to = null;
    if (end === "to" && loop.from >= frame) loop.from = 0;
    loop.on = true;
  }
}

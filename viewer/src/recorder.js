// A film of what the page plays, made in the page: each frame is drawn, and then taken.

/** Forms of film, the first that the browser can make. */
const FORMS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
/** Frames a second, at most. */
export const MOST_RATE = 30;
/** Bits for a pixel of a frame. */
const BITS = 0.25;

/** The form of film that this browser makes; undefined where it makes none. */
export const filmForm = () => (window.MediaRecorder && HTMLCanvasElement.prototype.captureStream ? FORMS.find((form) => MediaRecorder.isTypeSupported(form)) : undefined);

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
/** The next time that the browser shows something; soon, where it shows nothing. */
const shown = () => Promise.race([new Promise(requestAnimationFrame), pause(250)]);

/**
 * Records frames. `draw(frame)` draws one on the canvas; `tell(done, all)` hears how far it is; `signal` ends it early, with what there is.
 * A recorder takes frames by the clock: each is shown for its time, longer where drawing takes longer.
 */
export async function record(canvas, { frames, rate, draw, tell, signal }) {
  const form = filmForm();
  await draw(frames[0]);
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const recorder = new MediaRecorder(stream, { mimeType: form, videoBitsPerSecond: Math.max(2e6, BITS * rate * canvas.width * canvas.height) });
  const parts = [];
  recorder.ondataavailable = ({ data }) => data.size && parts.push(data);
  const over = new Promise((resolve, reject) => {
    recorder.onstop = resolve;
    recorder.onerror = ({ error }) => reject(error ?? new Error("the browser could not record"));
  });
  const started = new Promise((resolve) => (recorder.onstart = resolve));
  recorder.start();
  await started;
  // Asks for a frame: the recorder takes what is drawn next, when the browser comes to show it.
  const take = async (frame) => {
    track.requestFrame();
    await draw(frame);
    await shown();
    await shown();
  };
  let last = frames[0];
  try {
    for (const [i, frame] of frames.entries()) {
      if (signal.aborted || recorder.state !== "recording") break;
      const until = performance.now() + 1000 / rate;
      last = frame;
      await take(frame);
      tell(i + 1, frames.length);
      await pause(until - performance.now());
    }
    // The last frame lasts as long as the others: it ends with one more.
    await take(last);
  } finally {
    if (recorder.state !== "inactive") recorder.stop();
    await over;
    track.stop();
  }
  return new Blob(parts, { type: form.split(";")[0] });
}

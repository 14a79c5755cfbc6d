// Which rods are shown, and which one is picked.

/** Numbers as a list with ranges: 0-3,7. */
export function listed(numbers) {
  const parts = [];
  for (let i = 0; i < numbers.length; ) {
    let end = i;
    while (numbers[end + 1] === numbers[end] + 1) end++;
    parts.push(end > i ? `${numbers[i]}-${numbers[end]}` : String(numbers[i]));
    i = end + 1;
  }
  return parts.join(",");
}

/** The numbers below `count` of such a list; what makes no sense is left out. */
export function unlisted(text, count) {
  const found = new Set();
  for (const part of text.split(",")) {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (from === undefined) continue;
    for (let i = Number(from); i <= Math.min(Number(to), count - 1); i++) found.add(i);
  }
  return [...found].sort((a, b) => a - b);
}

export class Roster {
  constructor(count) {
    this.count = count;
    this.hidden = new Set();
    this.picked = -1;
  }

  shows(rod) {
    return !this.hidden.has(rod);
  }

  /** The rods that are shown. */
  get shown() {
    return Array.from({ length: this.count }, (_, i) => i).filter((rod) => this.shows(rod));
  }

  pick(rod) {
    this.picked = rod >= 0 && rod < this.count ? rod : -1;
    if (this.picked >= 0) this.hidden.delete(this.picked);
  }

  /** Shows these rods alone. */
  only(rods) {
    const kept = new Set(rods);
    this.hidden = new Set(Array.from({ length: this.count }, (_, i) => i).filter((rod) => !kept.has(rod)));
    if (this.hidden.has(this.picked)) this.picked = -1;
  }

  hide(rod) {
    this.hidden.add(rod);
    if (this.picked === rod) this.picked = -1;
  }

  all() {
    this.hidden.clear();
  }

  /** The rods that are shown, as in a link; null for all. */
  get link() {
    return this.hidden.size ? listed(this.shown) : null;
  }

  restore(link) {
    if (link === undefined) this.all();
    else this.only(unlisted(link, this.count));
  }
}

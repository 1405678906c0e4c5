/** A list of numbers that grows by doubling, for files that do not state their length beforehand. */
export class GrowableFloatArray {
  private values = new Float32Array(3 * 1024);
  length = 0;

  push3(a: number, b: number, c: number): void {
    if (this.length + 3 > this.values.length)
      this.values = copyInto(this.values, new Float32Array(2 * this.values.length));
    this.values[this.length++] = a;
    this.values[this.length++] = b;
    this.values[this.length++] = c;
  }

  at(index: number): number {
    return this.values[index] ?? Number.NaN;
  }

  toArray(): Float32Array {
    return this.values.slice(0, this.length);
  }
}

/** The same for vertex indices. */
export class GrowableIndexArray {
  private values = new Uint32Array(3 * 1024);
  length = 0;

  push3(a: number, b: number, c: number): void {
    if (this.length + 3 > this.values.length)
      this.values = copyInto(this.values, new Uint32Array(2 * this.values.length));
    this.values[this.length++] = a;
    this.values[this.length++] = b;
    this.values[this.length++] = c;
  }

  toArray(): Uint32Array {
    return this.values.slice(0, this.length);
  }
}

function copyInto<T extends Float32Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

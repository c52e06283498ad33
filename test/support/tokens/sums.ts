/** Estimated and real tokens, summed by conversation. */
export class TokenSums {
  private readonly sums = new Map<string, { real: number; estimated: number }>();

  add(conversation: string, real: number, estimated: number): void {
    const sum = this.sums.get(conversation) ?? { real: 0, estimated: 0 };
    this.sums.set(conversation, { real: sum.real + real, estimated: sum.estimated + estimated });
  }

  get size(): number {
    return this.sums.size;
  }

  meanError(): number {
    return this.#errors().reduce((a, b) => a + b, 0) / this.size;
  }

  largestError(): number {
    return Math.max(...this.#errors());
  }

  #errors(): number[] {
    return [...this.sums.values()].map(({ real, estimated }) => Math.abs(estimated / real - 1));
  }

  totalError(): number {
    let real = 0;
    let estimated = 0;
    for (const sum of this.sums.values()) {
      real += sum.real;
      estimated += sum.estimated;
    }
    return Math.abs(estimated / real - 1);
  }
}

/**
 * Logistic regression by Newton's method, with weights that may not be negative if the sign is known: negative ones are
 * dropped, and the rest is fitted again.
 */

export interface Example {
  /** In the order of the names. */
  features: ArrayLike<number>;
  right: boolean;
  weight: number;
}

export interface Fitted<F extends string> {
  bias: number;
  weights: Record<F, number>;
}

const ROUNDS = 12;
const ENOUGH = 1e-3;

/**
 * `signs`: true if a higher value can only raise the probability. `ridge` shrinks weights of standardised features
 * towards 0.
 */
export function fitLogistic<F extends string>(
  examples: readonly Example[],
  signs: Readonly<Record<F, boolean>>,
  ridge = 1,
): Fitted<F> {
  const all = Object.keys(signs) as F[];
  const target = Float64Array.from(examples, ({ right }) => (right ? 1 : 0));
  const weight = Float64Array.from(examples, (example) => example.weight);
  const columns = new Map(all.map((name, at) => [name, standardised(examples, at)]));
  let active = all.filter((name) => (columns.get(name)?.deviation ?? 0) > 1e-9);
  for (;;) {
    const used = active.flatMap((name) => columns.get(name)?.values ?? []);
    const solution = newton([new Float64Array(examples.length).fill(1), ...used], target, weight, ridge);
    const wrong = active.filter((name, at) => signs[name] && (solution[at + 1] ?? 0) < 0);
    if (wrong.length === 0) return unstandardised(all, active, solution, columns);
    active = active.filter((name) => !wrong.includes(name));
  }
}

interface Column {
  values: Float64Array;
  mean: number;
  deviation: number;
}

function standardised(examples: readonly Example[], at: number): Column {
  const raw = Float64Array.from(examples, ({ features }) => features[at] ?? 0);
  const mean = raw.reduce((sum, value) => sum + value, 0) / Math.max(1, raw.length);
  const variance = raw.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, raw.length);
  const deviation = Math.sqrt(variance);
  return { values: raw.map((value) => (value - mean) / (deviation || 1)), mean, deviation };
}

function unstandardised<F extends string>(
  all: readonly F[],
  active: readonly F[],
  solution: Float64Array,
  columns: ReadonlyMap<F, Column>,
): Fitted<F> {
  let bias = solution[0] ?? 0;
  const weights = Object.fromEntries(all.map((name) => [name, 0])) as Record<F, number>;
  for (const [at, name] of active.entries()) {
    const { mean = 0, deviation = 1 } = columns.get(name) ?? {};
    weights[name] = (solution[at + 1] ?? 0) / deviation;
    bias -= weights[name] * mean;
  }
  return { bias, weights };
}

function newton(columns: readonly Float64Array[], target: Float64Array, weight: Float64Array, ridge: number) {
  const n = columns.length;
  const count = target.length;
  // By rows, because each round iterates over all of them.
  const rows = new Float64Array(n * count);
  for (const [k, column] of columns.entries()) for (let i = 0; i < count; i += 1) rows[i * n + k] = column[i] as number;
  const solution = new Float64Array(n);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { gradient, hessian } = slopes(rows, solution, target, weight);
    const matrix = Array.from({ length: n }, () => new Float64Array(n));
    for (let k = 0; k < n; k += 1) {
      if (k > 0) gradient[k] = (gradient[k] as number) + ridge * (solution[k] as number);
      for (let j = 0; j <= k; j += 1) {
        const value = (hessian[k * n + j] as number) + (j === k ? (k === 0 ? 1e-9 : ridge) : 0);
        (matrix[k] as Float64Array)[j] = value;
        (matrix[j] as Float64Array)[k] = value;
      }
    }
    const step = solve(matrix, gradient);
    let largest = 0;
    for (let k = 0; k < n; k += 1) {
      solution[k] = (solution[k] as number) - (step[k] as number);
      largest = Math.max(largest, Math.abs(step[k] as number));
    }
    if (largest < ENOUGH) break;
  }
  return solution;
}

/** The gradient of the loss, and the lower half of its Hessian matrix, row by row. */
function slopes(rows: Float64Array, solution: Float64Array, target: Float64Array, weight: Float64Array) {
  const n = solution.length;
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n * n);
  for (let i = 0; i < target.length; i += 1) {
    const at = i * n;
    let score = 0;
    for (let k = 0; k < n; k += 1) score += (rows[at + k] as number) * (solution[k] as number);
    const p = 1 / (1 + Math.exp(-score));
    const error = (weight[i] as number) * (p - (target[i] as number));
    const curve = (weight[i] as number) * p * (1 - p);
    for (let k = 0; k < n; k += 1) {
      const value = rows[at + k] as number;
      gradient[k] = (gradient[k] as number) + error * value;
      const bent = curve * value;
      for (let j = 0; j <= k; j += 1) {
        hessian[k * n + j] = (hessian[k * n + j] as number) + bent * (rows[at + j] as number);
      }
    }
  }
  return { gradient, hessian };
}

/** Gaussian elimination with pivots. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const rows: Float64Array[] = matrix.map((line, at) => Float64Array.from([...line, right[at] as number]));
  for (let k = 0; k < n; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < n; i += 1) {
      if (Math.abs(rows[i]?.[k] as number) > Math.abs(rows[pivot]?.[k] as number)) pivot = i;
    }
    [rows[k], rows[pivot]] = [rows[pivot] as Float64Array, rows[k] as Float64Array];
    const top = rows[k] as Float64Array;
    for (let i = k + 1; i < n; i += 1) {
      const line = rows[i] as Float64Array;
      const factor = (line[k] as number) / (top[k] as number);
      if (factor !== 0) for (let j = k; j <= n; j += 1) line[j] = (line[j] as number) - factor * (top[j] as number);
    }
  }
  const found = new Float64Array(n);
  for (let k = n - 1; k >= 0; k -= 1) {
    const line = rows[k] as Float64Array;
    let sum = line[n] as number;
    for (let j = k + 1; j < n; j += 1) sum -= (line[j] as number) * (found[j] as number);
    found[k] = sum / (line[k] as number);
  }
  return found;
}

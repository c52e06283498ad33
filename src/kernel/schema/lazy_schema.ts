/**
 * Schemas that are made when they are first used. The verbs declare about a hundred each, which takes as long as an
 * answer, and an answer on the command line rarely needs one: so the build of the frequent verbs gets its schemas from
 * here (`scripts/build/schemas.ts`). A call is kept until something other than a further call is asked of its result.
 */
type Schema = Record<PropertyKey, unknown>;

/** Methods that return another schema and do nothing else. Each other property makes the schema. */
const CHAINED: ReadonlySet<PropertyKey> = new Set([
  ...["optional", "nullable", "nullish", "default", "describe", "meta"],
  ...["min", "max", "int", "length", "regex", "array", "extend", "refine"],
]);

/** How the schema behind each stand-in is made, once. */
const makers = new WeakMap<object, () => Schema>();

const handler: ProxyHandler<object> = {
  get: (standIn, name) => {
    if (CHAINED.has(name)) {
      return (...args: unknown[]) =>
        lazySchema(() => (schemaOf(standIn)[name] as (...of: unknown[]) => unknown)(...made(args)));
    }
    const schema = schemaOf(standIn);
    const value = schema[name];
    return typeof value === "function" ? value.bind(schema) : value;
  },
  has: (standIn, name) => name in schemaOf(standIn),
  getPrototypeOf: (standIn) => Object.getPrototypeOf(schemaOf(standIn)),
};

/** The stand-in for the schema that `make` returns. */
export function lazySchema(make: () => unknown): object {
  const standIn = {};
  let schema: Schema | undefined;
  const once = (): Schema => {
    schema ??= make() as Schema;
    return schema;
  };
  const proxy = new Proxy(standIn, handler);
  makers.set(standIn, once);
  makers.set(proxy, once);
  return proxy;
}

/** Arguments with the schemas themselves in place of stand-ins, also inside lists and shapes. */
export function made(args: readonly unknown[]): unknown[] {
  return args.map(madeValue);
}

function madeValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (makers.has(value)) return schemaOf(value);
  if (Array.isArray(value)) return value.map(madeValue);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, madeValue(each)]));
}

function schemaOf(standIn: object): Schema {
  const make = makers.get(standIn);
  if (make === undefined) throw new TypeError("not the stand-in of a schema");
  return make();
}

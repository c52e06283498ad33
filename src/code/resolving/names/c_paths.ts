/** Paths of classes and methods in C++. */
import type { SurfaceEntity } from "../../facts.ts";

/** The class of a detached method, with the namespaces around it that are known. */
export function typeIn(method: SurfaceEntity | undefined): string {
  return method?.qualified.slice(0, -method.name.length - 1) ?? "";
}

/** Whether two paths may name one class: namespaces around it need not be written. */
export function isSamePath(a: string, b: string): boolean {
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

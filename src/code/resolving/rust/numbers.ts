/** Rust: the parameter of a macro most often stands for a type of numbers, whose own methods come before those of traits. */
import type { DefinitionRef } from "../project/project_files.ts";
import type { Surfaces } from "../project/surface_index.ts";

/** Methods of numbers. */
const NUMBERS =
  /^(is_(nan|finite|infinite|normal|subnormal|positive|negative|sign_positive|sign_negative|power_of_two)|(checked|wrapping|saturating|overflowing|unchecked)_\w+|(leading|trailing|count)_(zeros|ones)|(to|from)_([bln]e_bytes|bits|[bl]e)|abs|abs_diff|signum|pow|powi|powf|sqrt|isqrt|cbrt|exp|exp2|ln|log|log2|log10|sin|cos|tan|floor|ceil|round|trunc|fract|recip|mul_add|rem_euclid|div_euclid|div_ceil|rotate_left|rotate_right|swap_bytes|reverse_bits|next_power_of_two|min|max|clamp|to_degrees|to_radians|total_cmp)$/;

/** Whether a method of a value of this type may be that of a number. */
export function mayBeNumber(files: Surfaces, { path, slot }: DefinitionRef, method: string): boolean {
  const index = files.get(path);
  return (
    index?.family === "rust" && NUMBERS.test(method) && index.surface.entities[slot]?.name.startsWith("$") === true
  );
}

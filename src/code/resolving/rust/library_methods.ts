/** Methods of Rust's own library, by what they pass to closures and what they give. */

/** Methods that pass an element or content as the first argument of a closure. */
const PASSES_FIRST = new Set(
  `map filter for_each try_for_each any all find position rposition find_map filter_map flat_map take_while skip_while
   map_while partition max_by_key min_by_key sort_by_key sort_unstable_by_key sort_by_cached_key inspect retain and_then
   map_or map_or_else is_some_and is_ok_and is_none_or binary_search_by binary_search_by_key and_modify then
   with try_with with_borrow with_borrow_mut`.split(/\s+/),
);
const PASSES_SECOND = new Set("fold try_fold rfold scan".split(" "));
const PASSES_BOTH = new Set("sort_by sort_unstable_by max_by min_by reduce dedup_by".split(" "));

/** Whether a method of Rust's library passes an element as this parameter of the closure. */
export function passesElement(method: string, parameter: number): boolean {
  if (PASSES_BOTH.has(method)) return true;
  return parameter === 0 ? PASSES_FIRST.has(method) : parameter === 1 && PASSES_SECOND.has(method);
}

/** Methods of Rust's wrappers (`Option`, `Mutex`, …) that give the value inside; wrappers count as their content. */
export const UNWRAPS: ReadonlySet<string> = new Set(
  `unwrap expect unwrap_or unwrap_or_default unwrap_or_else clone cloned copied as_ref as_mut as_deref as_deref_mut borrow
   borrow_mut lock try_lock read write ok ok_or ok_or_else or or_else map_err context with_context to_owned get_mut get_ref
   into_inner take replace filter inspect deref deref_mut upgrade by_ref get_or_insert get_or_insert_with unwrap_unchecked
   into_owned to_mut as_pin_mut project project_ref get_unchecked_mut assume_init_ref assume_init_mut`.split(/\s+/),
);

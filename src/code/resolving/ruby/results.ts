/** Results of methods of Ruby's library that may be values of the project. */

const SAME = /^(clone|dup|freeze|itself|tap)$/;
const ELEMENT = /^(at|delete_at|detect|dig|fetch|find|first|last|max_by|min_by|pop|sample|shift|\[\])$/;

/** Whether the method returns its receiver, or a copy of it. */
export function returnsReceiver(method: string): boolean {
  return SAME.test(method);
}

/** Whether the method may return something that a collection holds. */
export function mayReturnElement(method: string): boolean {
  return SAME.test(method) || ELEMENT.test(method);
}

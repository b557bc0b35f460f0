/** Text that is safe to print on a terminal. */

/** Control characters, but for line ends and tabs, and characters that change the direction of text. */
const UNSAFE = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

/** Removes characters that a terminal would act on: a contract may have them in its title, or in a name that a message quotes. */
export function printable(text: string): string {
  return text.replace(UNSAFE, '');
}

/** Text for a terminal. */

/** Control characters but line ends and tabs, and those that turn text: a terminal acts on them. */
const UNSAFE = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

/** The text without what a terminal would act on: a contract may have it in its title, or in any name that a message quotes. */
export function printable(text: string): string {
  return text.replace(UNSAFE, '');
}

/** Text that is safe to print on a terminal. */

/** Control characters, but for line ends and tabs, and characters that change the direction of text. */
const UNSAFE = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

/** Removes characters that a terminal would act on: a contract may have them in its title, or in a name that a message quotes. */
export function printable(text: string): string {
  return text.replace(UNSAFE, '');
}

/** The characters of a line that are printed: more than one of ours, and less than a name that was made to flood a log. */
const LINE_LENGTH_MAX = 2_000;

/** Text on one line, whatever it quotes: `?` in the place of each line end and control character, and no more than a screen. */
export function oneLine(text: string): string {
  return text.slice(0, LINE_LENGTH_MAX).replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu, '?');
}

/** What generated code may consist of, whatever a contract has made of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertDeclarations } from '../../src/tools/generate/declarations';

it.each([
  'export interface A { a: string }',
  'export type A = { [name: string]: unknown };',
  'type WithRequired<T, K extends keyof T> = T & { [P in K]-?: T[P] };',
  'export const A = { B: 1, "c d": -2.5, e: [true, null, "text"] } as const;',
  '/** A comment. */\nexport const digest = "abc";',
])('is %j', (text) => {
  expect(() => assertDeclarations(text)).not.toThrow();
});

it('is what our contract gives, but for the function at its end', () => {
  const text = readFileSync(join(__dirname, '..', '..', 'generated', 'openapi.ts'), 'utf8');
  expect(() => assertDeclarations(text.slice(0, text.indexOf('export function exactJson')))).not.toThrow();
});

it.each([
  'run();',
  'export {};',
  'export default run();',
  'import "./a";',
  'export * from "./a";',
  'declare const a: string;',
  'const a = 1;',
  'declare global { interface A {} }',
  'export let a = 1;',
  'export var a = 1;',
  'export function a() {}',
  'export class A {}',
  'export enum A { B = run() }',
  'export namespace A { run(); }',
  'export const a = run();',
  'export const a = b;',
  'export const a = `${run()}`;',
  'export const { a = run() } = {};',
  'export const a = 1, b = run();',
  'export const a = { get b() { return run(); } };',
  'export const a = { [run()]: 1 };',
  'export const a = { ...run() };',
  'export const a = { b };',
  'export const a = [...run()];',
  'export const a = (run(), 1);',
  'export const a = run() as const;',
  'export const a = 1 as unknown;',
  'export interface A { /* no end',
  'export type A = `no end',
  'if (true) run();',
])('is not %j', (text) => {
  expect(() => assertDeclarations(`export type First = string;\n${text}`)).toThrow(
    /^the code that was generated from the contract is not written: .*, got in line 2: /,
  );
});

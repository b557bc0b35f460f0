/** Reads a contract as one document of OpenAPI 3.1, whatever its version, and from however many files. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { namesOtherFiles, type ServedDocument } from './bundle';
import { type Document, lookUp, pathOfFragment } from './document';
import { Folders, isText } from './folders';
import { normalize } from './normalize';
import { ContractProblems } from './problems';
import { readYaml } from './read-yaml';
import { MAPS } from './traverse';
import { isFileName, placeInSources, refuseReferences } from './sources';

/**
 * Reads the author's files, as the tools do; a service reads the bundle. Throws ContractProblems if a file is not there, is no YAML, or is
 * outside of the contract's folder and the allowed ones. References to other hosts are not followed.
 */
export function readDocument(file: string, allowed: readonly string[] = []): ServedDocument {
  const own = readYaml(file);
  if (!namesOtherFiles(own.value)) return { ...own, warnings: normalize(own.value) };
  const folders = new Folders(file, allowed);
  refuseReferences(resolve(file), folders);
  const value = new Files(file, own.value as Document, folders).bundled();
  return {
    value,
    place: (path, part) => placeInSources(file, path, part, folders) ?? own.place(path, part),
    warnings: normalize(value),
  };
}

/** Copies what other files have into the document: a schema into its components, as it may refer to itself, anything else in place. */
class Files {
  private readonly root: string;
  private readonly values = new Map<string, unknown>();
  /** The names of schemas of other files, by file and pointer. */
  private readonly names = new Map<string, string>();
  private readonly schemas: Record<string, unknown>;
  /** References that are being put in their places, by file and pointer. */
  private readonly followed = new Set<string>();

  constructor(
    file: string,
    private readonly document: Document,
    private readonly folders: Folders,
  ) {
    this.root = resolve(file);
    this.values.set(this.root, document);
    this.schemas = { ...document.components?.schemas };
  }

  bundled(): Document {
    const copy = this.copy(this.document, this.root, false) as Document;
    if (this.names.size === 0) return copy;
    const own = copy.components?.schemas;
    return { ...copy, components: { ...copy.components, schemas: { ...(this.schemas as typeof own), ...own } } };
  }

  /** A copy with references that hold in the document; with `isMap` the keys are names of the contract's own. */
  private copy(value: unknown, file: string, isSchema: boolean, isMap = false): unknown {
    if (Array.isArray(value)) return value.map((each: unknown) => this.copy(each, file, isSchema));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref: reference, ...others } = value as Record<string, unknown>;
    if (typeof reference === 'string' && (reference.startsWith('#') || isFileName(reference))) {
      const [name = '', pointer = ''] = reference.split('#');
      const target = name === '' ? file : resolve(dirname(file), name);
      if (target !== this.root) {
        const rest = this.copy(others, file, isSchema) as object;
        return isSchema ? { ...rest, $ref: this.refer(target, pointer) } : this.inPlace(target, pointer);
      }
      return { ...others, $ref: `#${pointer}` };
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, member]: [string, unknown]) => {
        const isExamples = key === 'examples';
        const isData =
          !isMap && ((isExamples && Array.isArray(member)) || /^(?:default|enum|const|example|x-.*)$/.test(key));
        const holdsSchema = isSchema || key === 'schema' || value === this.document.components?.schemas;
        return [key, isData ? member : this.copy(member, file, holdsSchema, !isMap && (isExamples || MAPS.has(key)))];
      }),
    );
  }

  /** The target of a reference, to stand in its place; it may not lead back to itself. */
  private inPlace(file: string, pointer: string): unknown {
    const key = `${file}#${pointer}`;
    if (this.followed.has(key)) throw new ContractProblems([`${key} leads in a circle`]);
    this.followed.add(key);
    const copied = this.copy(this.read(file, pointer), file, false);
    this.followed.delete(key);
    return copied;
  }

  private refer(file: string, pointer: string): string {
    const key = `${file}#${pointer}`;
    let name = this.names.get(key);
    if (name === undefined) {
      const wanted = (pointer === '' ? file : pointer).replace(/^.*\//s, '').replaceAll(/[^\w.-]/g, '_');
      name = wanted;
      for (let number = 2; Object.hasOwn(this.schemas, name); number++) name = `${wanted}${number}`;
      this.names.set(key, name);
      this.schemas[name] = {}; // taken, and there when the schema refers to itself
      this.schemas[name] = this.copy(this.read(file, pointer), file, true);
    }
    return `#/components/schemas/${name}`;
  }

  private read(file: string, pointer: string): unknown {
    if (!this.values.has(file)) this.values.set(file, this.valueOf(file));
    const value = lookUp(this.values.get(file), pathOfFragment(pointer));
    if (value === undefined) throw new ContractProblems([`${file}#${pointer} leads nowhere`]);
    return value;
  }

  /** Checks again that the file may be read, whoever has found the reference. */
  private valueOf(file: string): unknown {
    const why = this.folders.refusal(file, true);
    if (why !== undefined) throw new ContractProblems([`a reference to ${file} ${why}`]);
    if (!existsSync(file)) throw new ContractProblems([`${file} is not there`]);
    return isText(file) ? readFileSync(file, 'utf8') : readYaml(file).value;
  }
}

/** Aliases of a YAML document, in linear time: the library looks through all of it for each of them. */
import {
  type Document as YamlDocument,
  isAlias,
  isCollection,
  isPair,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** Has each alias know the node that its anchor is of; returns true if there are aliases. */
export function linkAliases(document: YamlDocument): boolean {
  let isAny = false;
  const anchors = new Map<string, Scalar | YAMLMap | YAMLSeq>();
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return;
      }
      isAny = true;
      const target = anchors.get(node.source);
      node.resolve = (_document, context) => {
        // A map that a merge takes in place has no value of its own yet.
        if (target && context && !context.anchors.has(target))
          context.anchors.set(target, { aliasCount: 0, count: 1, res: target.toJSON(null, context) });
        return target;
      };
    },
  });
  return isAny;
}

/** The number of nodes that all aliases together repeat, those in repeated ones included. */
export function repeatedNodes(document: YamlDocument): number {
  const sizes = new Map<unknown, number>();
  let repeated = 0;
  const sizeOf = (node: unknown): number => {
    let size = 1;
    if (isAlias(node)) {
      size = sizes.get(node.resolve(document)) ?? 1; // what it leads to is above it
      repeated += size;
    } else if (isPair(node)) {
      size = sizeOf(node.key) + sizeOf(node.value);
    } else if (isCollection(node)) {
      for (const item of node.items) size += sizeOf(item);
    }
    sizes.set(node, size);
    return size;
  };
  sizeOf(document.contents);
  return repeated;
}

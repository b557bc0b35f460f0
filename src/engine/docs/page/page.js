/* The documentation page: Swagger UI with integers beyond 2^53 kept exact, items shown as they come, error codes explained where they appear, and errors folded. */
'use strict';

const HOW_TO_BEGIN = `

**To try a call**: authorize with your token, then execute. A service that was started without a list of tokens has printed one.`;

/** The folder of this page and of the contract. */
const folder = new URL('.', location.href);
/** The address of the API, whose contract may have `docs` for itself. */
const base = new URL(folder.pathname.endsWith('/-/') ? '..' : '.', folder);

/** False in older browsers, which have no `JSON.rawJSON`: they show the JSON of answers as it came, not indented. */
const canKeepNumbers = JSON.rawJSON !== undefined;

/** Keeps numbers that JavaScript would change: they become raw JSON, because Swagger UI parses and stringifies what it shows. */
const { parse } = JSON;
JSON.parse = (text, reviver) => parse(text, reviver ?? keepNumber);
function keepNumber(_key, value, context) {
  return canKeepNumbers && typeof value === 'number' && String(value) !== context.source
    ? JSON.rawJSON(context.source)
    : value;
}

/** Parses the contract. An example with such a number becomes text, which Swagger UI parses again; anywhere else it expects a number. */
function readContract(text) {
  const visit = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (canKeepNumbers && JSON.isRawJSON(value)) return Number(value.rawJSON);
    for (const example of Object.values(value.examples ?? {})) {
      if (hasKeptNumber(example?.value)) example.value = JSON.stringify(example.value);
    }
    for (const [key, inner] of Object.entries(value)) value[key] = visit(inner);
    return value;
  };
  return visit(JSON.parse(text));
}

function hasKeptNumber(value) {
  if (!canKeepNumbers || typeof value !== 'object' || value === null) return false;
  return JSON.isRawJSON(value) || Object.values(value).some(hasKeptNumber);
}

/** The meanings of error codes, from tables in the descriptions of schemas: `| 40901 | NoteExists | when |`. */
function errorCodes(contract) {
  const codes = new Map();
  for (const { description = '' } of Object.values(contract.components?.schemas ?? {})) {
    for (const [, code, name, when] of description.matchAll(/^\| *(\d+) *\| *(\w+) *\|(.+)\|$/gm)) {
      codes.set(Number(code), { name, when: when.replaceAll('`', '').trim() });
    }
  }
  return codes;
}

/** The target of an object's `$ref`, or the object itself. */
function resolve(contract, { $ref, ...object }) {
  if ($ref === undefined) return object;
  return (
    $ref
      .slice(2)
      .split('/')
      .reduce((value, step) => value?.[step], contract) ?? { $ref }
  );
}

function operationsOf({ paths = {} }) {
  return Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter((member) => member?.responses); // an extension may be null
}

/** The headers that more than half of all answers have. */
function sharedHeaders(contract) {
  const responses = operationsOf(contract).flatMap((each) => Object.values(each.responses));
  const names = responses.flatMap((response) => Object.keys(resolve(contract, response).headers ?? {}));
  const isShared = (name) => names.filter((each) => each === name).length > responses.length / 2;
  return responses.length > 1 ? [...new Set(names)].filter(isShared) : [];
}

/** Adds to the description of each response the codes that it may carry: those of its status, times 100. */
function explainResponses(contract, codes) {
  for (const { responses } of operationsOf(contract)) {
    for (const [status, response] of Object.entries(responses)) {
      const own = [...codes].filter(([code]) => Math.floor(code / 100) === Number(status));
      if (own.length === 0) continue;
      const resolved = resolve(contract, response);
      const list = own.map(([code, { name, when }]) => `- \`${code}\` **${name}**: ${when}`);
      responses[status] = { ...resolved, description: `${resolved.description}\n\n${list.join('\n')}` };
    }
  }
}

/** Explains the error code in the answer to a call. */
function explainAnswers(codes) {
  const codeIn = (text) => {
    try {
      return Object.values(JSON.parse(text)).find((value) => codes.has(value));
    } catch {
      return undefined;
    }
  };
  return ({ React: { createElement: element, Fragment } }) => ({
    wrapComponents: {
      responseBody: (Original) =>
        function ExplainedBody(props) {
          const known = codes.get(codeIn(props.content));
          const isText = !canKeepNumbers || SEQUENCE.test(props.contentType);
          const contentType = isText ? 'text/plain' : props.contentType;
          return element(
            Fragment,
            null,
            element(Original, { ...props, contentType }),
            known && element('p', { className: 'error-code' }, element('strong', null, known.name), `: ${known.when}`),
          );
        },
    },
  });
}

/** Shows answers beyond success, and headers that most answers have, when they are asked for. */
function foldAnswers(shared) {
  const isSuccess = (_response, status) => /^2/.test(status);
  return ({ React: { createElement: element, Fragment, useState } }) => ({
    wrapComponents: {
      responses: (Original) =>
        function FoldedResponses(props) {
          const [isOpen, setOpen] = useState(false);
          const successes = props.responses.filter(isSuccess);
          const others = props.responses.filterNot(isSuccess).keySeq().toArray();
          if (successes.size === 0 || others.length === 0) return element(Original, props);
          const toggle = { className: 'other-answers', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) };
          return element(
            Fragment,
            null,
            element(Original, isOpen ? props : { ...props, responses: successes }),
            element('button', toggle, `${isOpen ? 'Hide' : 'Show'} the other answers: ${others.join(', ')}`),
          );
        },
      headers: (Original) =>
        function FoldedHeaders({ headers, ...props }) {
          const isShared = (_header, name) => shared.includes(name);
          const [folded, own] = [headers.filter(isShared), headers.filterNot(isShared)];
          const names = folded.keySeq().join(', ');
          return element(
            Fragment,
            null,
            own.size > 0 && element(Original, { ...props, headers: own }),
            folded.size > 0 &&
              element(
                'details',
                { className: 'shared-headers' },
                element('summary', null, `Headers: ${names}`),
                element(Original, { ...props, headers: folded }),
              ),
          );
        },
    },
  });
}

/** Media types whose bodies have items, and may never end. */
const SEQUENCE =
  /^(?:text\/event-stream|multipart\/(?!form-data)[\w.+-]+|application\/(?:jsonl|x-ndjson|(?:[\w.-]+\+)?json-seq))(?:\s*;|$)/i;
/** The last characters of a sequence that are kept, those that are shown while it comes, and the milliseconds between two updates: Swagger UI colours them each time. */
const KEPT_MAX = 100_000;
const SHOWN_MAX = 10_000;
const SHOWN_MS = 100;

/** The whole text of a sequence when it has ended or was stopped; `show` is given what came until then. */
async function readItems({ body }, signal, show) {
  let text = '';
  let timer;
  const showSoon = () => {
    timer = undefined;
    show(lastOf(text, SHOWN_MAX));
  };
  try {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let item = await reader.read(); !item.done; item = await reader.read()) {
      text = lastOf(text + item.value, KEPT_MAX);
      timer ??= setTimeout(showSoon, SHOWN_MS);
    }
  } catch (error) {
    if (!signal.aborted) text += `\n\nbroken off: ${error.message}`;
  } finally {
    clearTimeout(timer);
  }
  return text;
}

function lastOf(text, count) {
  return text.length > count ? `…${text.slice(-count)}` : text;
}

/** Shows the items of a sequence as they come, and lets a person stop any call. */
function showItems({ React: { createElement: element, Fragment } }) {
  /** The calls under way, by their operations. */
  const calls = new Map();
  const keyOf = (path, method) => `${method} ${path}`;
  const stop = (path, method) => {
    const call = calls.get(keyOf(path, method));
    call?.controller.abort(new Error('stopped'));
    return call?.done;
  };

  /** Swagger UI's action, with a `fetch` that shows what has come of a sequence. */
  const executeShown =
    (execute, { specActions }) =>
    (request) => {
      const { pathName: path, method } = request;
      stop(path, method);
      const controller = new AbortController();
      const call = { controller, done: undefined };
      calls.set(keyOf(path, method), call);
      const userFetch = async (url, options) => {
        try {
          const response = await fetch(url, { ...options, signal: controller.signal });
          const { ok, status, statusText, headers } = response;
          if (!SEQUENCE.test(headers.get('Content-Type'))) return response;
          const shown = { ok, url, status, headers: Object.fromEntries(headers) };
          const show = (text) => specActions.setResponse(path, method, { ...shown, text });
          const text = await readItems(response, controller.signal, show);
          // Swagger UI takes media types that it does not know for files.
          const blob = () => Promise.resolve(text);
          return Object.assign(new Response(text, { status, statusText, headers }), { blob });
        } finally {
          if (calls.get(keyOf(path, method)) === call) calls.delete(keyOf(path, method));
        }
      };
      call.done = execute({ ...request, userFetch });
      return call.done;
    };
  /** Clears the answer of a call when that has ended, which would show it again. */
  const clearStopped = (clear) => async (path, method) => {
    await stop(path, method);
    return clear(path, method);
  };

  return {
    statePlugins: { spec: { wrapActions: { executeRequest: executeShown, clearResponse: clearStopped } } },
    wrapComponents: {
      execute: (Original) =>
        function StoppableExecute(props) {
          const { path, method } = props;
          const onClick = ({ target }) => {
            stop(path, method);
            target.previousElementSibling.focus(); // it is about to go
          };
          const button = { className: 'btn stop', onClick };
          const isUnderWay = calls.has(keyOf(path, method));
          return element(Fragment, null, element(Original, props), isUnderWay && element('button', button, 'Stop'));
        },
    },
  };
}

/** Keeps the focus in a dialog while it is open, and gives it back to what has opened it. */
function keepFocus({ React: { createElement: element, useLayoutEffect, useRef } }) {
  return {
    wrapComponents: {
      authorizationPopup: (Original) =>
        function FocusedDialog(props) {
          const dialog = useRef(null);
          useLayoutEffect(() => {
            const opener = document.activeElement;
            dialog.current.querySelector('input, .modal-ux-content button')?.focus();
            const isKept = () => opener.isConnected && opener !== document.body;
            // Swagger UI makes its button anew when the dialog opens and closes.
            return () => setTimeout(() => (isKept() ? opener : document.querySelector('button.authorize')).focus());
          }, []);
          const onKeyDown = (event) => {
            const all = [...dialog.current.querySelectorAll('button, input, select, textarea, a[href]')];
            const [end, start] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
            if (event.key !== 'Tab' || document.activeElement !== end) return;
            event.preventDefault();
            start.focus();
          };
          const role = { role: 'dialog', 'aria-modal': true, 'aria-label': 'Available authorizations' };
          return element('div', { ref: dialog, onKeyDown, ...role }, element(Original, props));
        },
    },
  };
}

/** Names of what Swagger UI shows without one. */
const NAMES = {
  'textarea.body-param__text': 'Request body',
  '.examples-select-element': 'Example',
  '.close-modal': 'Close',
};

function nameControls() {
  for (const [selector, name] of Object.entries(NAMES))
    for (const control of document.querySelectorAll(selector)) control.setAttribute('aria-label', name);
}

async function show() {
  const response = await fetch(new URL('openapi.json', folder));
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}`);
  const contract = readContract(await response.text());
  // Calls go to the origin of this page, whatever its name is: those to another one would be refused.
  contract.servers = [{ url: base.href.replace(/\/$/, '') }];
  const codes = errorCodes(contract);
  explainResponses(contract, codes);
  const links = ['openapi.json', 'openapi.yaml'].map((name) => `[${name}](${new URL(name, folder).href})`);
  contract.info.description = `${contract.info.description ?? ''}${HOW_TO_BEGIN} The contract: ${links.join(', ')}.`;
  document.title = contract.info.title;
  window.SwaggerUIBundle({
    dom_id: '#page',
    spec: contract,
    plugins: [explainAnswers(codes), foldAnswers(sharedHeaders(contract)), showItems, keepFocus],
    deepLinking: true,
    docExpansion: operationsOf(contract).length > 1 ? 'list' : 'full',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
new MutationObserver(nameControls).observe(document.getElementById('page'), { childList: true, subtree: true });
show().catch((error) => {
  document.getElementById('page').textContent = `The documentation cannot be shown: ${error.message}`;
});

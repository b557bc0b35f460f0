/** The documentation page in a real browser, as a person uses it. */
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { contractOf, handlersOf } from '../../support/contracts';
import { eventually } from '../../support/eventually';
import { describeWith } from '../../support/needs';
import { startService, type TestService } from '../../support/service';

const CHROMIUM = '/usr/bin/chromium';
/** Rules of axe that Swagger UI itself breaks: colours of its buttons and numbers, its headings and landmarks, a lock in a button, the name of a button. */
const BROKEN_BY_SWAGGER_UI = [
  'color-contrast',
  'heading-order',
  'label-content-name-mismatch',
  'nested-interactive',
  'region',
];
/** The lowest contrast of its own: a green button on white has 2.03. */
const CONTRAST_MIN = 2;

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => ({ id, html, data: any[0]?.data as { contrastRatio?: number } | null })),
  );
  const isOwn = ({ id, data }: (typeof faults)[number]): boolean =>
    BROKEN_BY_SWAGGER_UI.includes(id) && (data?.contrastRatio ?? CONTRAST_MIN) >= CONTRAST_MIN;
  expect(faults.filter((fault) => !isOwn(fault))).toEqual([]);
}

/** Without a network of its own: neither updates nor whatever else it asks for. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const LARGEST = '9223372036854775807';

// A browser takes its time on a busy machine.

describeWith(CHROMIUM, 'the documentation page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  });
  afterAll(() => browser.close());

  /** What went wrong while the page was used: errors in its console, violations of its policy, requests elsewhere. */
  let complaints: string[];
  beforeEach(() => {
    complaints = [];
  });

  async function open({ baseUrl }: TestService, viewport = { width: 1280, height: 900 }): Promise<Page> {
    const page = await browser.newPage({ viewport });
    // A number in the contract, as whoever serves it may write one.
    await page.route('**/openapi.json', async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ contentType: 'application/json', body: text.replaceAll('1234', LARGEST) });
    });
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => {
      // The browser itself notes each answer of 4xx and 5xx.
      if (['error', 'warning'].includes(message.type()) && !message.text().includes('responded with a status of'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/`)) complaints.push(request.url());
    });
    await page.goto(`${baseUrl}/docs`);
    await page.locator('.opblock').first().waitFor();
    return page;
  }

  async function authorize(page: Page, token: string): Promise<void> {
    await page.click('button.authorize');
    await page.fill('.auth-container input', token);
    await page.click('.auth-btn-wrapper button[type=submit]');
    await page.click('.auth-btn-wrapper .btn-done');
  }

  /** Sends the body, and resolves to what is shown of the answer. */
  async function execute(page: Page, body: string, status: number): Promise<string> {
    await page.fill('textarea.body-param__text', body);
    await page.click('button.execute');
    // The status alone: the id of an answer may have its digits.
    const cell = page.locator('.response-col_status', { hasText: new RegExp(`^\\s*${status}`) });
    const row = page.locator('.live-responses-table tbody tr', { has: cell });
    await row.waitFor();
    return row.innerText();
  }

  describe.each(['', '/garden/v1'])('below the base path %p', (basePath) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ docs: true, basePath });
    });
    afterAll(() => service.close());

    it('lets a person authorize, create a plant of any id and see what went wrong', async () => {
      const page = await open(service);
      expect(await page.title()).toBe('OpenAPI Plant Store');

      const body = `{"id": ${LARGEST}, "name": "Welwitschia", "tag": "desert"}`;
      expect(await execute(page, body, 401)).toContain('TokenMissing: no bearer credential came with the request');
      await authorize(page, service.token);
      expect(await execute(page, body, 200)).toContain('{\n  "name": "Welwitschia",\n  "tag": "desert"\n}');
      expect(service.rows()).toEqual([{ id: BigInt(LARGEST), name: 'Welwitschia', tag: 'desert' }]);
      expect(await page.locator('.curl-command').innerText()).toContain(LARGEST);

      const conflict = await execute(page, `{"id": ${LARGEST}, "name": "another"}`, 409);
      expect(conflict).toContain(`"message": "a plant with id ${LARGEST} and other content is in the store"`);
      expect(conflict).toContain('PlantIdTaken: a plant with this id and other content is in the store');
      expect(await execute(page, '{', 400)).toContain('MalformedBody: the body is missing, or is not a JSON text');
      expect(complaints).toEqual([]);
      await page.close();
    });

    it('explains every error code of an operation where its status is described', async () => {
      const page = await open(service);
      const table = page.locator('.responses-table:not(.live-responses-table)');
      expect(await table.innerText()).not.toContain('MalformedBody');
      await page.click('.other-answers');
      const responses = await table.innerText();
      for (const name of ['MalformedBody', 'ContractViolation', 'TokenInvalid', 'PlantIdTaken', 'Overloaded'])
        expect(responses).toContain(`${name}: `);
      expect(complaints).toEqual([]);
      await page.close();
    });
  });

  it('shows and sends numbers as they are written, in examples and answers of any contract', async () => {
    const file = contractOf(`openapi: 3.1.0
info: { title: Numbers, version: 1.0.0 }
paths:
  /echo:
    x-note: null
    post:
      operationId: echo
      security: []
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/N' }, examples: { large: { value: { n: 1234 } } } } }
      responses: { '200': { description: Back., content: { application/json: { schema: { $ref: '#/components/schemas/N' } } } } }
components: { schemas: { N: { type: object, properties: { n: { type: integer, format: int64 }, list: { type: array, items: { type: integer, format: int64 } } } } } }
`);
    const handlers = handlersOf({ echo: ({ body }) => ({ status: 200, body }) });
    const service = await startService({ docs: true, contract: file, handlers });
    try {
      const page = await open(service);
      const example = page.locator('textarea.body-param__text');
      await example.waitFor();
      expect(await example.inputValue()).toBe(`{\n  "n": ${LARGEST}\n}`);
      const shown = await execute(page, `{"n": -${LARGEST}, "list": [1, 9007199254740993]}`, 200);
      expect(shown).toContain(`{\n  "n": -${LARGEST},\n  "list": [\n    1,\n    9007199254740993\n  ]\n}`);
      expect(complaints).toEqual([]);
      await page.close();
    } finally {
      await service.close();
    }
  });

  it('shows items as they come, until they end or a person stops them', async () => {
    const file = contractOf(`openapi: 3.2.0
info: { title: Chat, version: 1.0.0 }
paths:
  /events: { get: { operationId: listen, responses: { '200': { description: Events., content: { text/event-stream: { itemSchema: { properties: { data: { type: string } } } } } } } } }
  /lines: { get: { operationId: list, responses: { '200': { description: Lines., content: { application/jsonl: { itemSchema: { properties: { n: { type: integer } } } } } } } } }
`);
    let go: () => void = () => undefined;
    const told = () => new Promise<void>((resolve) => (go = resolve));
    let isOver = false;
    const listen = async function* (signal: AbortSignal) {
      await told();
      yield { data: 'one' };
      await told();
      yield { data: 'two' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      isOver = true;
    };
    const list = async function* () {
      yield { n: 1 };
      await told();
      yield { n: 'two' };
    };
    const handlers = handlersOf({
      listen: (_request, { signal }) => ({ status: 200, body: listen(signal) }),
      list: () => ({ status: 200, body: list() }),
    });
    const service = await startService({ docs: true, contract: file, handlers });
    try {
      const page = await open(service);
      const [events, lines] = [page.locator('#operations-default-listen'), page.locator('#operations-default-list')];
      const [answer, stop] = [events.locator('.live-responses-table'), events.locator('button.stop')];
      await events.locator('.opblock-summary-control').click();
      await events.locator('button.execute').click();
      await stop.waitFor();
      go();
      await answer.locator('pre', { hasText: /^data: one\s*$/ }).waitFor();
      go();
      await answer.locator('pre', { hasText: /^data: one\s+data: two\s*$/ }).waitFor();
      await stop.click();
      await stop.waitFor({ state: 'detached' });
      await eventually(() => expect(isOver).toBe(true));
      expect(await answer.innerText()).toContain('data: two');
      await events.locator('button.execute').click();
      await stop.waitFor();
      await events.locator('button.btn-clear').click();
      await stop.waitFor({ state: 'detached' });
      await answer.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);

      await lines.locator('.opblock-summary-control').click();
      await lines.locator('button.execute').click();
      const shown = lines.locator('.live-responses-table pre');
      await shown.filter({ hasText: /^\{"n":1\}\s*$/ }).waitFor();
      go();
      await shown.filter({ hasText: /^\{"n":1\}\s+broken off: network error\s*$/ }).waitFor();
      expect(complaints).toEqual(['Failed to load resource: net::ERR_INCOMPLETE_CHUNKED_ENCODING']);
      await page.close();
    } finally {
      await service.close();
    }
  });

  it.each([
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ])('is two screens of %j at most, with what all answers share folded', async (viewport) => {
    const service = await startService({ docs: true });
    try {
      const page = await open(service, viewport);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(2 * viewport.height);
      const success = page.locator('tr.response', { hasText: '200' });
      const shared = success.locator('.shared-headers');
      expect(await shared.innerText()).toBe(
        'Headers: Cache-Control, Content-Security-Policy, X-Content-Type-Options, X-Request-Id',
      );
      await shared.locator('summary').click();
      expect(await shared.innerText()).toContain('The id of the request in the log of the service');
      await page.click('.other-answers');
      const refused = page.locator('tr.response', { hasText: '401' });
      expect(await refused.locator('.headers-wrapper').first().innerText()).toContain('WWW-Authenticate');
      expect(complaints).toEqual([]);
      await page.close();
    } finally {
      await service.close();
    }
  });

  it.each(['light', 'dark'] as const)(
    'has in the %s no fault that axe knows, but those of Swagger UI',
    async (colorScheme) => {
      const service = await startService({ docs: true });
      try {
        const page = await open(service);
        await page.emulateMedia({ colorScheme });
        await page.click('.other-answers');
        await expectAccessible(page);
        await page.click('button.authorize');
        await expectAccessible(page);
        expect(complaints).toEqual([]);
        await page.close();
      } finally {
        await service.close();
      }
    },
  );

  it('keeps the focus in the dialog while it is open, and links to the contract', async () => {
    const service = await startService({ docs: true });
    try {
      const page = await open(service);
      const focused = (): Promise<string> =>
        page.evaluate('document.activeElement.className || document.activeElement.tagName');
      await page.click('button.authorize');
      const seen = [await focused()];
      for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Escape']) {
        await page.keyboard.press(key);
        if (key === 'Escape')
          await page.waitForFunction("document.activeElement.matches('.authorize:not(.modal-btn)')");
        seen.push(await focused());
      }
      const [done, authorize, opener] = [
        'btn modal-btn auth btn-done button',
        'btn modal-btn auth authorize button',
        'btn authorize unlocked',
      ];
      expect(seen).toEqual(['INPUT', authorize, done, 'close-modal', 'INPUT', 'close-modal', opener]);
      expect(await page.locator('a', { hasText: 'openapi.json' }).getAttribute('href')).toBe(
        `${service.baseUrl}/openapi.json`,
      );
      await page.close();
    } finally {
      await service.close();
    }
  });

  it('fits the width of a telephone, before and after a call', async () => {
    const service = await startService({ docs: true });
    try {
      const page = await open(service, { width: 390, height: 844 });
      const width = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth');
      expect(await width()).toBe(390);
      await authorize(page, service.token);
      await execute(page, '{"id": 1, "name": "Ficus"}', 200);
      expect(await width()).toBe(390);
      expect(complaints).toEqual([]);
      await page.close();
    } finally {
      await service.close();
    }
  });
});

/** The names of the packages of the two wings. */

/** The engine, which a service depends on. */
export const ENGINE_PACKAGE = 'openapi-in-charge';
/** The tools, with which a service is made and judged. */
export const TOOLS_PACKAGE = 'openapi-in-charge-tools';

// Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and generate again.
/* eslint-disable */
// Written with openapi-typescript 7.13.0.

/** The contract that this file was generated from; the server does not start with another. */
export const contractDigest = '8f5ccf13c1fbe7dfd71ee450906004676ca4658e1e26d70d521fbe1bd8714617';

export interface paths {
    "/plants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a plant
         * @description Stores a plant. A `200` means that the plant is on disk.
         *
         *     Creation is idempotent on its content: the same `id` with the same `name` and `tag` answers `200` again, so
         *     that a request may be repeated after a lost connection. The same `id` with other content answers `409`
         *     and changes nothing.
         *
         *     Properties that the contract does not name are accepted and not stored.
         */
        post: operations["createPlant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A plant as it is shown.
         * @example {
         *       "name": "Monstera deliciosa",
         *       "tag": "indoor"
         *     }
         */
        Plant: {
            /** @description The name of the plant; any well-formed Unicode text without U+0000. */
            name: string;
            /** @description A free label; any well-formed Unicode text without U+0000. */
            tag?: string;
        };
        /**
         * @description A plant as it is created, with the id that the client chose for it.
         * @example {
         *       "id": 1,
         *       "name": "Monstera deliciosa",
         *       "tag": "indoor"
         *     }
         */
        NewPlant: components["schemas"]["Plant"] & {
            /**
             * Format: int64
             * @description The number of the plant, from -9223372036854775808 to 9223372036854775807, kept exactly.
             */
            id: bigint;
        };
        /**
         * @description What went wrong.
         * @example {
         *       "error": 40002,
         *       "message": "/body/name: expected string, got 5"
         *     }
         */
        Error: {
            /**
             * Format: int32
             * @description What went wrong, for programs.
             */
            error: number & components["schemas"]["ErrorCode"];
            /** @description What went wrong, for people; what was expected and what came. */
            message: string;
        };
        /**
         * Format: int32
         * @description The list of errors, each the HTTP status times 100 plus a number. It is open: a later minor version may have
         *     more, so a client takes a code that it does not know for its status.
         *
         *     | value | name | meaning |
         *     | --- | --- | --- |
         *     | 40001 | MalformedBody | the body is missing, or is not a JSON text: UTF-8, no duplicate keys, no lone surrogates, at most 64 levels deep |
         *     | 40002 | ContractViolation | JSON, but not what this contract asks for; `message` names each place as a JSON pointer and what was expected there, of more than three the first three |
         *     | 40003 | MalformedRequest | HTTP itself is wrong: the request line, a header, a repeated `Authorization`, `Content-Type` or `Host`, bad percent-encoding |
         *     | 40101 | TokenMissing | no bearer credential came with the request |
         *     | 40102 | TokenInvalid | a bearer credential came, and it is not accepted |
         *     | 40301 | InsufficientScope | the credential is accepted, and lacks a scope that the operation names |
         *     | 40401 | NoSuchPath | this contract has no such path |
         *     | 40501 | MethodNotAllowed | the path has no such method; `Allow` names those it has |
         *     | 40801 | RequestTimeout | the request did not arrive in time |
         *     | 40901 | PlantIdTaken | a plant with this id and other content is in the store |
         *     | 41301 | BodyTooLarge | the body is larger than the service accepts |
         *     | 41501 | UnsupportedMediaType | the media type, charset or content encoding of the body is not one that the operation takes |
         *     | 41701 | ExpectationFailed | an `Expect` header asks for something other than `100-continue` |
         *     | 42901 | TooManyRequests | the principal has sent more requests within a second than the service takes on |
         *     | 43101 | HeadersTooLarge | the request line and headers are larger than the service accepts |
         *     | 50001 | Internal | a fault of the service; the cause is in its log |
         *     | 50301 | StoreUnavailable | the store, or what decides on tokens, does not answer; nothing is known to be stored |
         *     | 50302 | Overloaded | more requests are waiting than the service takes on; nothing was stored |
         *     | 50501 | VersionNotSupported | the request is neither HTTP/1.1 nor HTTP/1.0 |
         * @example 40002
         * @enum {integer}
         */
        ErrorCode: ErrorCode;
    };
    responses: {
        /** @description The request is malformed, or not what the contract asks for. */
        BadRequest: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No bearer token, or one that is not accepted. */
        Unauthorized: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                /** @description The challenge; `error="invalid_token"` is added when a bearer credential was sent (RFC 6750 section 3). */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request did not arrive in time. */
        RequestTimeout: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A plant with this id and other content is in the store; it is unchanged. */
        Conflict: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the service accepts. */
        ContentTooLarge: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is of a media type, charset or content encoding that the operation does not take. */
        UnsupportedMediaType: {
            headers: {
                /** @description The media types that the operation takes (RFC 9110 section 15.5.16). */
                Accept: string;
                /** @description The content encoding that the service takes; sent where the encoding was at fault. */
                "Accept-Encoding"?: string;
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Expect` header asks for something that the service does not do. */
        ExpectationFailed: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The principal has sent more requests than it may; try again later. */
        TooManyRequests: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                /** @description After how many seconds to try again. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request line and headers are larger than the service accepts. */
        HeadersTooLarge: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service. */
        InternalError: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service cannot do it now; try again. */
        ServiceUnavailable: {
            headers: {
                /** @description An answer is for who has asked, and not to be stored. */
                "Cache-Control"?: "no-store";
                /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                /** @description An answer is of the type that it says. */
                "X-Content-Type-Options"?: "nosniff";
                /**
                 * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
                 *     `traceparent`, else a new one.
                 */
                "X-Request-Id"?: string;
                /** @description After how many seconds to try again. */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is of a version of HTTP that the service does not speak. */
        VersionNotSupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description An answer is for who has asked, and not to be stored. */
        "Cache-Control": "no-store";
        /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'";
        /** @description An answer is of the type that it says. */
        "X-Content-Type-Options": "nosniff";
        /**
         * @description The id of the request in the log of the service: the `X-Request-Id` that came with it, else the trace id of its
         *     `traceparent`, else a new one.
         */
        "X-Request-Id": string;
        /** @description The challenge; `error="invalid_token"` is added when a bearer credential was sent (RFC 6750 section 3). */
        "WWW-Authenticate": string;
        /** @description The media types that the operation takes (RFC 9110 section 15.5.16). */
        Accept: string;
        /** @description The content encoding that the service takes; sent where the encoding was at fault. */
        "Accept-Encoding": string;
        /** @description After how many seconds to try again. */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPlant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description The plant to store. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlant"];
            };
        };
        responses: {
            /** @description The plant is stored. */
            200: {
                headers: {
                    /** @description An answer is for who has asked, and not to be stored. */
                    "Cache-Control"?: "no-store";
                    /** @description An answer is no page; where a browser takes it for one, nothing in it runs. */
                    "Content-Security-Policy"?: "default-src 'none'; frame-ancestors 'none'";
                    /** @description An answer is of the type that it says. */
                    "X-Content-Type-Options"?: "nosniff";
                    /** @description The id of the request in the log of the service. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
            505: components["responses"]["VersionNotSupported"];
        };
    };
}
export const ErrorCode = {
    MalformedBody: 40001,
    ContractViolation: 40002,
    MalformedRequest: 40003,
    TokenMissing: 40101,
    TokenInvalid: 40102,
    InsufficientScope: 40301,
    NoSuchPath: 40401,
    MethodNotAllowed: 40501,
    RequestTimeout: 40801,
    PlantIdTaken: 40901,
    BodyTooLarge: 41301,
    UnsupportedMediaType: 41501,
    ExpectationFailed: 41701,
    TooManyRequests: 42901,
    HeadersTooLarge: 43101,
    Internal: 50001,
    StoreUnavailable: 50301,
    Overloaded: 50302,
    VersionNotSupported: 50501
} as const;
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** `JSON.stringify` for bodies that have an int64: a bigint is written as the number that it is. */
export function exactJson(value: unknown): string {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null || "toJSON" in value) return JSON.stringify(value) ?? "null";
    if (Array.isArray(value)) return `[${value.map(exactJson).join()}]`;
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`).join()}}`;
}

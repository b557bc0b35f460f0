/** Whom a server may let in, and what it may serve, that it should not. */
import type { Answer } from './client';
import type { Fault } from './faults-of-answers';
import { mending, type Middle } from './middle';

/** The server lets in … */
export const openDoors: Fault[] = [
  {
    fault: 'whoever has no token',
    middle: authorizing((authorization, accepted) => authorization || accepted),
    found: [
      'lets in a request without Authorization, expected 401',
      'lets in an invalid request without Authorization, expected 401',
      'lets in a request with its token in the query, expected 401',
    ],
  },
  {
    fault: 'whoever has a token',
    middle: authorizing((authorization, accepted) => (/^Bearer ./.test(authorization) ? accepted : authorization)),
    found: [
      'lets in a request with an accepted token and more, expected 401',
      'lets in a request with a piece of an accepted token, expected 401',
      'lets in a request with an unknown token, expected 401',
    ],
  },
  {
    fault: 'whoever has a token that begins like one that is accepted',
    middle: authorizing((authorization, accepted) => (authorization.startsWith(accepted) ? accepted : authorization)),
    found: ['lets in a request with an accepted token and more, expected 401'],
  },
  {
    fault: 'whoever has the beginning of a token',
    middle: authorizing((authorization, accepted) =>
      authorization.length > 'Bearer'.length && accepted.startsWith(authorization) ? accepted : authorization,
    ),
    found: ['lets in a request with a piece of an accepted token, expected 401'],
  },
  {
    fault: 'whoever has a token in the query',
    middle: authorizing((authorization, accepted, target) =>
      target.includes('access_token') ? accepted : authorization,
    ),
    found: ['lets in a request with its token in the query, expected 401'],
  },
];

/** The server answers … */
export const undeclaredService: Fault[] = [
  {
    fault: 'a method that is not declared',
    middle: answering('PATCH', { status: 200 }),
    found: ['answers 200 to PATCH, expected 405 with Allow: POST'],
  },
  {
    fault: 'HEAD of its own accord',
    middle: answering('HEAD', { status: 200 }),
    found: ['answers 200 to HEAD, expected 405 with Allow: POST'],
  },
  {
    fault: 'OPTIONS as if the path were none',
    middle: answering('OPTIONS', { status: 404 }),
    found: ['answers 404 to OPTIONS, expected 405 with Allow: POST'],
  },
  {
    fault: 'without a word of what is allowed',
    middle: answering('PUT', { headers: {} }),
    found: ['answers 405 to PUT, expected 405 with Allow: POST'],
  },
  {
    fault: 'that more is allowed than is',
    middle: answering('GET', { headers: { allow: 'POST, HEAD' } }),
    found: ['answers 405 to GET, expected 405 with Allow: POST'],
  },
  {
    fault: 'what is not allowed with a page',
    middle: answering('TRACE', { headers: { allow: 'POST', 'content-type': 'text/html' } }),
    found: ['answers 405 of text/html, which is not declared'],
  },
  {
    fault: 'a path with a slash at its end',
    middle: mending((request) => ({ ...request, target: request.target.replace(/\/$/, '') })),
    found: ['answers 401 to a path with a slash at its end, expected 404'],
  },
  {
    fault: 'a path in other letters',
    middle: mending((request) => ({ ...request, target: request.target.toLowerCase() })),
    found: ['answers 401 to a path with other letters, expected 404'],
  },
];

/** Gives the request another Authorization, and takes the token out of its query where it then has one. */
function authorizing(mend: (authorization: string, accepted: string, target: string) => string): Middle {
  return mending(({ headers, target, ...request }, token) => {
    const { authorization = '', ...others } = headers;
    const mended = mend(authorization, `Bearer ${token}`, target);
    if (mended === '') return { ...request, target, headers: others };
    const [path = ''] = target.split('?access_token');
    return { ...request, target: path, headers: { ...others, authorization: mended } };
  });
}

function answering(method: string, instead: Partial<Answer>): Middle {
  return async (request, forward) => {
    const answer = await forward(request);
    return request.method === method ? { ...answer, ...instead } : answer;
  };
}

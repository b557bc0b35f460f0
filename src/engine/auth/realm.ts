/** What the challenges of all schemes call the service (RFC 9110 section 11.5). */
export const REALM = 'plant-store';

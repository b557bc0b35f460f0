/** The error codes of plants: numbered like those of the server (`../engine/errors/error-codes.ts`), and listed with them in the contract. */
export const PlantErrorCode = {
  PlantIdTaken: 40901,
} as const;

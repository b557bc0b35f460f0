/** The errors of plants: numbered as those of the server are (`../engine/http/error-codes.ts`), and listed by the contract beside them. */
export const PlantErrorCode = {
  PlantIdTaken: 40901,
} as const;

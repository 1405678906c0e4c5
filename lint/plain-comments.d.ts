export const plainComments: unknown;
export const relativeWord: RegExp;

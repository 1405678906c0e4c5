/**
 * The public part of the key with which the project signs the packs that come with the product (Ed25519, raw, base64).
 * The private part is not in the repository: docs/developer/release.md.
 */
export const arcadaPackKey = "Arcada=LjOqr1D6ovtoChyE8pN9/1wpYh20KiMAE3rmepEbYCA=";

/**
 * The version of the open interface, by semantic versioning: the last number changes with words, the middle one with
 * additions, the first one with anything that a program could notice in what it uses.
 */
export const apiVersion = "1.0.0";

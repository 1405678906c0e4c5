export declare const longProofs: readonly string[];
export declare const longServerTests: readonly string[];
export declare const longJourneys: readonly string[];
export declare const shortenedJourneys: readonly string[];
export declare const proofGroups: Readonly<Record<string, readonly string[]>>;

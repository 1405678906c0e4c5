export declare const longProofs: readonly string[];
export declare const longJourneys: readonly string[];
export declare const shortenedJourneys: readonly string[];

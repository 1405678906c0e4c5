import type { Call } from "@arcada/contract/kernel/call";
import type { SearchHit, SearchKind } from "@arcada/contract/search/search.calls";
import type { MemberContext } from "../http/request-context.ts";

/** A search of one list: `opened` are the records that the user opened lately, the last one first. */
export interface SearchRequest {
  text: string;
  opened: readonly string[];
  most: number;
}

/** The records of one list, which a slice offers to the search of the whole product. */
export interface SearchSource {
  kind: SearchKind;
  /** The call of the list. Its roles may search, and a search writes its line to the audit log. */
  list: Call;
  /** Finds what the list would find for the text, the most probable first, up to `most`. */
  find: (context: MemberContext, request: SearchRequest) => Promise<SearchHit[]>;
  /** For records whose opening is audited: they can be offered before anything is typed. */
  opening?: {
    /** The call that opens a record. */
    call: Call;
    /** Returns those of the records that the user may still see. */
    load: (context: MemberContext, ids: readonly string[]) => Promise<SearchHit[]>;
  };
}

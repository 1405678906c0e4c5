/**
 * One row of a life cycle: the states before and after, the parties that may act, and the inputs that the acting person
 * provides.
 */
export interface Step<State extends string, Party extends string, Ask extends string> {
  /** The row's number in the written table, for people who compare the two. */
  id: string;
  /** Empty for the step that makes the record. */
  from: readonly State[];
  to: readonly State[];
  by: readonly Party[];
  asks?: readonly Ask[];
  /** The step removes the record instead of moving it. */
  removes?: true;
}

export interface Lifecycle<State extends string, Action extends string, Party extends string, Ask extends string> {
  states: readonly State[];
  terminal: readonly State[];
  steps: Record<Action, Step<State, Party, Ask>>;
}

/** NoInfer: without it a misspelt state would widen the union and compile. */
export const defineLifecycle =
  <State extends string, Party extends string, Ask extends string = never>(
    states: readonly State[],
    terminal: readonly NoInfer<State>[],
  ) =>
  <Action extends string>(
    steps: Record<Action, Step<NoInfer<State>, NoInfer<Party>, NoInfer<Ask>>>,
  ): Lifecycle<State, Action, Party, Ask> => ({ states, terminal, steps });

/** The actions that leave a state, in the order of the table. */
export const actionsFrom = <S extends string, A extends string, P extends string, K extends string>(
  table: Lifecycle<S, A, P, K>,
  state: S,
): A[] => (Object.keys(table.steps) as A[]).filter((action) => table.steps[action].from.includes(state));

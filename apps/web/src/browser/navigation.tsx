import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";
import type { AnchorHTMLAttributes, ReactNode } from "react";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";

/** The values of the query string: text only, as typed. */
export type SearchParams = Record<string, string | undefined>;
interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  screen: ScreenName;
  search?: SearchParams;
  /** The section of the page. */
  hash?: string;
  children?: ReactNode;
}

/** A link to a screen. With Mantine: `<Button component={ScreenLink} screen="orderList">`. */
export function ScreenLink({ screen, search = {}, hash, ...rest }: LinkProps) {
  return <Link to={screens[screen].path} search={search as never} {...(hash !== undefined && { hash })} {...rest} />;
}

/** `go("orderDetail", { id })`. */
export function useOpenScreen(): (screen: ScreenName, search?: SearchParams, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (screen, search = {}, options = {}) =>
      void navigate({ to: screens[screen].path, search: search as never, replace: options.replace ?? false }),
    [navigate],
  );
}

/**
 * The search parameters of the page's address. While the next page is loading, those of the page that is still shown.
 */
export const useSearchParams = (): SearchParams =>
  useRouterState({
    select: ({ location, matches }) => {
      const shown = matches.at(-1);
      return (shown && shown.pathname !== location.pathname ? shown.search : location.search) as SearchParams;
    },
  });

/** Changes values of the address and stays on the page; an empty value leaves the address. */
export function useSetSearchParams(): (change: SearchParams) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) =>
      void navigate({
        to: ".",
        replace: true,
        // Keeps the scroll position.
        resetScroll: false,
        search: ((now: SearchParams) => withoutEmpty({ ...now, ...change })) as never,
      }),
    [navigate],
  );
}

const withoutEmpty = (search: SearchParams): SearchParams =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value));

/** The address keeps plain text: an id of digits must not become a number on its way. */
export const parseSearch = (text: string): SearchParams => Object.fromEntries(new URLSearchParams(text));
export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

import { useWindowEvent } from "@mantine/hooks";
import { useRef } from "react";

const attribute = "data-mantine-color-scheme";

/** Paper is white: the page is printed in the light scheme, whatever the reader sees. */
export function useLightPrint(): void {
  const former = useRef<string | null>(null);
  useWindowEvent("beforeprint", () => {
    former.current = document.documentElement.getAttribute(attribute);
    document.documentElement.setAttribute(attribute, "light");
  });
  useWindowEvent("afterprint", () => {
    if (former.current !== null) document.documentElement.setAttribute(attribute, former.current);
  });
}

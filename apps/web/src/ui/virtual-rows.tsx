import { useWindowEvent } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";

interface Props<T> {
  rows: readonly T[];
  renderRow: (row: T, index: number) => ReactNode;
}

/** The rows of a long table. Blocks far outside the viewport are replaced by an empty row of their height. */
export function VirtualRows<T>({ rows, renderRow }: Props<T>) {
  const blocks = Array.from({ length: Math.max(1, Math.ceil(rows.length / blockSize)) }, (_, at) => at * blockSize);
  return blocks.map((from) => (
    <RowBlock key={from}>
      {() => rows.slice(from, from + blockSize).map((row, at) => renderRow(row, from + at))}
    </RowBlock>
  ));
}

const blockSize = 50;
/** The margin within which rows are rendered: more than a key or a turn of the wheel brings into view. */
const renderMargin = "1500px 0px";

function RowBlock({ children }: { children: () => ReactNode }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      ([seen]) => {
        const isNear = seen?.isIntersecting === true;
        // The block that contains the focus stays rendered.
        if (isNear || element.contains(document.activeElement)) setHeight(null);
        else setHeight((known) => known ?? element.offsetHeight);
      },
      { rootMargin: renderMargin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Paper has no viewport: all rows are printed, and they must be there when the event ends.
  useWindowEvent("beforeprint", () => flushSync(() => setHeight(null)));
  return <tbody ref={body}>{height === null ? children() : <tr aria-hidden style={{ height }} />}</tbody>;
}

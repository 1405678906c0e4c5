import { Group, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp, IconArrowsSort } from "@tabler/icons-react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import classes from "./data-table.module.css";
import { VirtualRows } from "./virtual-rows.tsx";

export interface Column<T> {
  key: string;
  title: ReactNode;
  show: (row: T) => ReactNode;
  /** The CSS width; without one the column takes the remaining space. */
  width?: string | number;
  align?: "start" | "end" | "center";
  /** The key to sort by; used with `onSort`. */
  sort?: string;
  /** On a narrow screen: the row's heading, omitted, or (default) a line with its title. */
  narrow?: "head" | "none";
  /**
   * The keyboard opens the row from this cell: by the link that it contains, or by a button around the whole cell.
   * One column of a table with `onOpen` names it, so that a row has a single tab stop.
   */
  opens?: "link" | "button";
}
interface Props<T> {
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Describes the content of the table for screen readers. */
  label: string;
  onOpen?: (row: T) => void;
  sort?: { by: string; down: boolean } | undefined;
  onSort?: (by: string) => void;
  /** The buttons at the end of each row. */
  actions?: (row: T) => ReactNode;
  actionsTitle?: ReactNode;
}

/** A table; a list on narrow screens. A row that can be opened opens by a click anywhere, and by its heading. */
export function DataTable<T>(props: Props<T>) {
  const isNarrow = useMediaQuery("(max-width: 47.99em)", window.innerWidth < 768, { getInitialValueInEffect: false });
  return isNarrow ? <Cards {...props} /> : <Rows {...props} />;
}

function Rows<T>({ columns, rows, rowKey, label, onOpen, sort, onSort, actions, actionsTitle }: Props<T>) {
  return (
    <div className={classes.scroll} tabIndex={-1}>
      <table aria-label={label} className={classes.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            {actions && <HeadCell column={{ key: "actions", title: actionsTitle ?? "", align: "end" }} />}
          </tr>
        </thead>
        <VirtualRows
          rows={rows}
          renderRow={(row, place) => (
            <tr key={rowKey(row)} aria-rowindex={place + 2} {...getOpenProps(row, columns, onOpen)}>
              {columns.map((column) => (
                <td key={column.key} style={getCellStyle(column)}>
                  <CellContent column={column} row={row} onOpen={onOpen} />
                </td>
              ))}
              {actions && (
                <td className={classes.actions}>
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    {actions(row)}
                  </Group>
                </td>
              )}
            </tr>
          )}
        />
      </table>
    </div>
  );
}

interface HeadCellProps<T> extends Pick<Props<T>, "sort" | "onSort"> {
  column: Omit<Column<T>, "show">;
}

function HeadCell<T>({ column, sort, onSort }: HeadCellProps<T>) {
  const style = getCellStyle(column);
  // A column of bars or buttons needs no title; an empty one would be announced as a heading.
  if (column.title === "") return <td style={style} aria-hidden />;
  return (
    <th scope="col" style={style} aria-sort={getAriaSort(column, sort)}>
      {column.sort && onSort ? (
        <SortButton
          title={column.title}
          state={sort?.by === column.sort ? sort : undefined}
          onClick={() => onSort(column.sort!)}
        />
      ) : (
        column.title
      )}
    </th>
  );
}

const getCellStyle = <T,>({ width, align }: Pick<Column<T>, "width" | "align">) => ({
  ...(width !== undefined && { width }),
  ...(align && { textAlign: align }),
});
const getAriaSort = <T,>({ sort: by }: Pick<Column<T>, "sort">, sort: Props<T>["sort"]) =>
  by && sort?.by === by ? (sort.down ? "descending" : "ascending") : undefined;

function Cards<T>({ columns, rows, rowKey, label, onOpen, actions }: Props<T>) {
  const headColumns = columns.filter(({ narrow }) => narrow === "head");
  const bodyColumns = columns.filter(({ narrow }) => narrow === undefined);
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li
          key={rowKey(row)}
          {...getOpenProps(row, columns, onOpen)}
          className={onOpen ? `${classes.card} ${classes.opens}` : classes.card}
        >
          {headColumns.length > 0 && (
            <div className={classes.head}>
              {headColumns.map((column) => (
                <div key={column.key}>
                  <CellContent column={column} row={row} onOpen={onOpen} />
                </div>
              ))}
            </div>
          )}
          <dl className={classes.lines}>
            {bodyColumns.map((column) => (
              <div key={column.key}>
                <dt>{column.title}</dt>
                <dd>
                  <CellContent column={column} row={row} onOpen={onOpen} />
                </dd>
              </div>
            ))}
          </dl>
          {actions && (
            <Group gap="xs" mt="sm">
              {actions(row)}
            </Group>
          )}
        </li>
      ))}
    </ul>
  );
}

function SortButton({
  title,
  state,
  onClick,
}: {
  title: ReactNode;
  state: { down: boolean } | undefined;
  onClick: () => void;
}) {
  const Icon = !state ? IconArrowsSort : state.down ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton className={classes.sort} onClick={onClick}>
      {title}
      <Icon size={14} stroke={1.8} aria-hidden />
    </UnstyledButton>
  );
}

interface CellProps<T> {
  column: Column<T>;
  row: T;
  onOpen: ((row: T) => void) | undefined;
}

function CellContent<T>({ column, row, onOpen }: CellProps<T>) {
  if (column.opens !== "button" || !onOpen) return column.show(row);
  return (
    <UnstyledButton className={classes.opener} onClick={() => onOpen(row)}>
      {column.show(row)}
    </UnstyledButton>
  );
}

/** A link or button within a row acts alone and does not open the row as well. */
function getOpenProps<T>(row: T, columns: readonly Column<T>[], onOpen: ((row: T) => void) | undefined) {
  if (!onOpen) return {};
  const onClick = (event: MouseEvent) => {
    if (!(event.target as Element).closest("a, button, input, label")) onOpen(row);
  };
  if (columns.some(({ opens }) => opens)) return { className: classes.opens, onClick };
  return {
    className: classes.opens,
    onClick,
    tabIndex: 0,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && event.target === event.currentTarget) onOpen(row);
    },
  };
}

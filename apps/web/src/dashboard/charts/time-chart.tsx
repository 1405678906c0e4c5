import { useDirection } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { AxisBottom, AxisLeft, AxisRight } from "@visx/axis";
import { GridRows } from "@visx/grid";
import { LinePath } from "@visx/shape";
import { useId, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { findMaximum, stackBars } from "./chart-series.ts";
import type { ChartColumn, Series } from "./chart-series.ts";
import {
  chartHeight as height,
  chartMargin as margin,
  createColumnScale,
  createValueScale,
  estimateTextWidth,
  pickLabels,
} from "./chart-scales.ts";
import type { Scales } from "./chart-scales.ts";
import { ChartTooltip } from "./chart-legend.tsx";
import classes from "./time-chart.module.css";

/** From a label of the axis to the columns; with less, the label is cut at the edge of a sheet. */
const labelGap = 16;

const labelWidth = 62;

interface Props {
  /** The name of the chart. */
  label: string;
  columns: readonly ChartColumn[];
  series: readonly Series[];
  /** Writes the values of the axis. */
  formatAxis: (value: number) => string;
  /** True if there are no values between whole numbers. */
  isWhole?: boolean;
}

/**
 * Bars and lines over time. Each column is a link to its orders: with the keyboard, the arrow keys go from one to the
 * next, so that the chart is a single tab stop.
 */
export function TimeChart({ label, columns, series, formatAxis, isWhole = false }: Props) {
  const t = useTexts("dashboard");
  const { ref, width } = useElementSize();
  const isRightToLeft = useDirection().dir === "rtl";
  const [active, setActive] = useState<number | null>(null);
  const y = createValueScale(findMaximum(series, columns.length));
  // Very small values round to the same words: each is written once.
  const ticks = y
    .ticks(4)
    .filter((tick) => !isWhole || Number.isInteger(tick))
    .filter((tick, place, all) => place === 0 || formatAxis(tick) !== formatAxis(all[place - 1] ?? tick));
  const axisWidth = Math.max(...ticks.map((tick) => estimateTextWidth(formatAxis(tick)))) + labelGap;
  const scales = { y, ...createColumnScale(width, columns.length, axisWidth, isRightToLeft) };
  const move = useColumnKeys(columns.length, isRightToLeft);
  const activate = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const column = columns.findIndex((_, place) => x >= scales.slot(place) && x < scales.slot(place) + scales.x.step());
    setActive(column < 0 ? null : column);
  };
  return (
    <div ref={ref} className={classes.chart}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={t("dashboard.chart.keys", { name: label })}
          onPointerMove={activate}
          onPointerLeave={() => setActive(null)}
          onKeyDown={move}
        >
          <Axes scales={scales} ticks={ticks} columns={columns} formatAxis={formatAxis} isRightToLeft={isRightToLeft} />
          {columns.map((column, place) => (
            <ColumnTarget
              key={column.long}
              column={column}
              x={scales.slot(place)}
              width={scales.x.step()}
              says={`${column.long}: ${describeColumn(series, place)}`}
              isStop={place === (active ?? columns.length - 1)}
              isActive={place === active}
              onActive={(isActive) => setActive(isActive ? place : null)}
            />
          ))}
          <Bars scales={scales} series={series} columns={columns} />
          <Lines scales={scales} series={series} columns={columns} active={active} />
        </svg>
      )}
      {active !== null && columns[active] && (
        <ChartTooltip
          title={columns[active].long}
          series={series}
          column={active}
          position={(scales.slot(active) + scales.x.step() / 2) / width}
        />
      )}
    </div>
  );
}

interface AxesProps {
  scales: Scales;
  ticks: number[];
  columns: readonly ChartColumn[];
  formatAxis: (value: number) => string;
  isRightToLeft: boolean;
}
function Axes({ scales: { x, y }, ticks, columns, formatAxis, isRightToLeft }: AxesProps) {
  const [first, last] = x.range() as [number, number];
  const Axis = isRightToLeft ? AxisRight : AxisLeft;
  const labelled = pickLabels(columns.length, Math.abs(last - first), labelWidth);
  return (
    <g aria-hidden>
      <GridRows
        scale={y}
        tickValues={ticks}
        left={Math.min(first, last)}
        width={Math.abs(last - first)}
        className={classes.grid!}
      />
      <Axis
        scale={y}
        left={first}
        tickValues={ticks}
        tickFormat={(value) => formatAxis(Number(value))}
        hideAxisLine
        hideTicks
        tickClassName={classes.tick!}
        tickLabelProps={{ textAnchor: isRightToLeft ? "start" : "end", dx: isRightToLeft ? 6 : -6, dy: 4 }}
      />
      <AxisBottom
        scale={x}
        top={height - margin.bottom}
        tickValues={labelled}
        tickFormat={(place) => columns[Number(place)]?.short ?? ""}
        hideTicks
        axisClassName={classes.baseline!}
        tickClassName={classes.tick!}
        tickLabelProps={{ textAnchor: "middle", dy: 4 }}
      />
    </g>
  );
}

interface ColumnTargetProps {
  column: ChartColumn;
  x: number;
  width: number;
  says: string;
  /** True for the one column that the tab key reaches. */
  isStop: boolean;
  isActive: boolean;
  onActive: (isActive: boolean) => void;
}
function ColumnTarget({ column, x, width, says, isStop, isActive, onActive }: ColumnTargetProps) {
  const area = (
    <rect
      x={x}
      y={margin.top}
      width={Math.max(0, width)}
      height={height - margin.top - margin.bottom}
      className={classes.column}
      data-active={isActive || undefined}
    />
  );
  const props = {
    "aria-label": says,
    tabIndex: isStop ? 0 : -1,
    onFocus: () => onActive(true),
    onBlur: () => onActive(false),
    className: classes.target,
    "data-column": true,
  };
  return column.link ? (
    <ScreenLink screen="orderList" search={column.link} {...props}>
      {area}
    </ScreenLink>
  ) : (
    <g role="img" {...props}>
      {area}
    </g>
  );
}

interface PartProps {
  scales: Scales;
  series: readonly Series[];
  columns: readonly ChartColumn[];
}
/** Each part of a bar is a link for the pointer; the keyboard has the column, and the table all of them. */
function Bars({ scales: { x, y }, series, columns }: PartProps) {
  const pattern = useId();
  return (
    <>
      <defs>
        <pattern id={pattern} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width={2} height={6} className={classes.stripe} />
        </pattern>
      </defs>
      {stackBars(series, columns.length).map(({ series: one, column, from, to }) => {
        const place = {
          x: x(column) ?? 0,
          y: y(to),
          width: x.bandwidth(),
          height: Math.max(1, y(from) - y(to)),
          rx: 2,
        };
        const bar = (
          <g key={`${one.key} ${column}`}>
            <rect {...place} className={classes.bar} data-role={one.role} />
            {one.role === "bad" && <rect {...place} fill={`url(#${pattern})`} />}
          </g>
        );
        const search = one.link?.(column);
        return search ? (
          <ScreenLink key={`${one.key} ${column}`} screen="orderList" search={search} tabIndex={-1} aria-hidden>
            {bar}
          </ScreenLink>
        ) : (
          <g key={`${one.key} ${column}`} aria-hidden className={classes.passive}>
            {bar}
          </g>
        );
      })}
    </>
  );
}

function Lines({ scales: { x, y }, series, columns, active }: PartProps & { active: number | null }) {
  const middle = (place: number) => (x(place) ?? 0) + x.bandwidth() / 2;
  const places = columns.map((_, place) => place);
  return (
    <g aria-hidden className={classes.passive}>
      {series
        .filter(({ kind }) => kind !== "bar")
        .map(({ key, kind, role, values }) => (
          <g key={key}>
            <LinePath
              data={places}
              x={middle}
              y={(place) => y(values[place] ?? 0)}
              defined={(place) => values[place] !== null && values[place] !== undefined}
              className={classes.line!}
              data-role={role}
              data-dashed={kind === "dashed" || undefined}
            />
            {places.map((place) => {
              const value = values[place];
              if (value === null || value === undefined || (kind === "dashed" && place !== active)) return null;
              return (
                <circle
                  key={place}
                  cx={middle(place)}
                  cy={y(value)}
                  r={place === active ? 5 : 3}
                  className={classes.dot}
                  data-role={role}
                />
              );
            })}
          </g>
        ))}
    </g>
  );
}

/** Describes a column for those who do not see the chart. */
const describeColumn = (series: readonly Series[], place: number): string =>
  series
    .flatMap(({ name, values, format }) => {
      const value = values[place];
      return value === null || value === undefined ? [] : [`${name} ${format(value)}`];
    })
    .join("; ");

/** The arrow keys, Home and End move the focus between the columns. */
function useColumnKeys(count: number, isRightToLeft: boolean) {
  return (event: KeyboardEvent<SVGSVGElement>) => {
    const targets = [...event.currentTarget.querySelectorAll<SVGElement>("[data-column]")];
    const now = targets.findIndex((target) => target === document.activeElement);
    const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[event.key];
    const next = event.key === "Home" ? 0 : event.key === "End" ? count - 1 : step && now + step;
    const target = next === undefined ? undefined : targets[next];
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
}

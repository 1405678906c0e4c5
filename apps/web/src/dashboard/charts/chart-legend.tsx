import { Text } from "@mantine/core";
import type { Series } from "./chart-series.ts";
import classes from "./time-chart.module.css";

interface TooltipProps {
  title: string;
  series: readonly Series[];
  column: number;
  /** The middle of the column as a share of the chart's width, from the left. */
  position: number;
}

/** The values of one column. The pointer passes through, and the column's name says the same. */
export function ChartTooltip({ title, series, column, position }: TooltipProps) {
  return (
    <div
      className={classes.tooltip}
      aria-hidden
      style={{ left: `${position * 100}%`, transform: `translateX(${-position * 100}%)` }}
    >
      <Text size="xs" fw={600}>
        {title}
      </Text>
      <ul className={classes.values}>
        {series.map(({ key, name, kind, role, values, format }) => {
          const value = values[column];
          return (
            <li key={key}>
              <span className={classes.swatch} data-kind={kind} data-role={role} />
              <span className={classes.name}>{name}</span>
              <span className="arcada-figures">{value === null || value === undefined ? "–" : format(value)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The names of the series beside their colours. */
export function ChartLegend({ series }: { series: readonly Series[] }) {
  return (
    <ul className={classes.legend}>
      {series.map(({ key, name, kind, role }) => (
        <li key={key}>
          <span className={classes.swatch} data-kind={kind} data-role={role} />
          {name}
        </li>
      ))}
    </ul>
  );
}

import { Group, Text } from "@mantine/core";
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from "@tabler/icons-react";
import type { TrendFigures, TrendPeriod } from "@arcada/contract/dashboard/trends.schema";
import { ScreenLink } from "../browser/navigation.tsx";
import type { SearchParams } from "../browser/navigation.tsx";
import { formatNumber } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import classes from "./dashboard.module.css";
import { formatDuration, formatShare } from "./figure-text.ts";

interface Headline {
  key: "completed" | "median" | "late" | "remakes";
  /** The value that is compared; null: nothing to measure. */
  read: (total: TrendFigures) => number | null;
  show: (total: TrendFigures, t: Translate) => string;
  detail?: (total: TrendFigures, t: Translate) => string;
  /** True if a higher value is good news, false if it is bad; undefined: neither. */
  isMoreGood?: boolean;
  link: SearchParams;
}

/** The four figures of a period, each beside the period before. */
export function HeadlineFigures({
  now,
  before,
  orders,
}: {
  now: TrendPeriod;
  before: TrendPeriod;
  orders: SearchParams;
}) {
  const t = useTexts("dashboard");
  return (
    <div className={classes.headlines} role="group" aria-label={t("dashboard.figures.title")}>
      {listHeadlines(
        { ...orders, completedFrom: now.from, completedTo: now.to },
        { ...orders, sentFrom: now.from, sentTo: now.to },
      ).map((headline) => (
        <ScreenLink key={headline.key} screen="orderList" search={headline.link} className={classes.headline!}>
          <Text size="sm" c="dimmed">
            {t(`dashboard.figures.${headline.key}`)}
          </Text>
          <Group gap={8} align="baseline">
            <span className={classes.figure}>{headline.show(now.total, t)}</span>
            {headline.detail && (
              <Text size="sm" c="dimmed" className="arcada-figures">
                {headline.detail(now.total, t)}
              </Text>
            )}
          </Group>
          <Comparison headline={headline} now={now.total} before={before.total} />
        </ScreenLink>
      ))}
    </div>
  );
}

const listHeadlines = (completed: SearchParams, sent: SearchParams): Headline[] => [
  {
    key: "completed",
    read: (total) => total.completed,
    show: (total) => String(total.completed),
    link: completed,
  },
  {
    key: "median",
    read: (total) => total.median,
    show: (total, t) => formatDuration(total.median, t),
    isMoreGood: false,
    link: completed,
  },
  {
    key: "late",
    read: ({ late, dated }) => (dated === 0 ? null : late / dated),
    show: ({ late, dated }, t) => formatShare(late, dated, t),
    detail: ({ late, dated }, t) => t("dashboard.figures.outOf", { count: late, total: dated }),
    isMoreGood: false,
    link: { ...completed, delivered: "late" },
  },
  {
    key: "remakes",
    read: (total) => total.remakes,
    show: (total) => String(total.remakes),
    isMoreGood: false,
    link: { ...sent, remake: "any" },
  },
];

/** The change against the period before: an arrow, the change in percent, and the former value. */
function Comparison({ headline, now, before }: { headline: Headline; now: TrendFigures; before: TrendFigures }) {
  const t = useTexts("dashboard");
  const [value, former] = [headline.read(now), headline.read(before)];
  const change = value === null || former === null || former === 0 ? null : (value - former) / former;
  // A difference that rounds away is none.
  const isSame = headline.show(now, t) === headline.show(before, t);
  const Icon = isSame || change === null ? IconArrowRight : change > 0 ? IconArrowUpRight : IconArrowDownRight;
  const percent = change === null ? "" : formatNumber(Math.abs(change) * 100, 0);
  return (
    <Text size="xs" c="dimmed" className={classes.comparison!}>
      {change !== null && (
        <span className={classes.change} data-news={isSame ? undefined : findNews(headline, change)}>
          <Icon size={14} aria-hidden />
          {isSame ? t("dashboard.compare.same") : t(`dashboard.compare.${change > 0 ? "more" : "less"}`, { percent })}
        </span>
      )}
      <span>{t("dashboard.compare.wasBefore", { value: headline.show(before, t) })}</span>
    </Text>
  );
}

const findNews = ({ isMoreGood }: Headline, change: number): "good" | "bad" | undefined =>
  isMoreGood === undefined ? undefined : change > 0 === isMoreGood ? "good" : "bad";

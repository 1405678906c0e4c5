import { Button, Group, Skeleton, Stack } from "@mantine/core";
import { useCounter, useMediaQuery } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { ScreenLink, useSearchParams } from "../../browser/navigation.tsx";
import { PermissionGate, useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { PageBody, Section } from "../../ui/page.tsx";
import { ExportOrders } from "./export-orders.tsx";
import { OrderCards } from "./order-cards.tsx";
import { OrderFilters } from "./order-filters.tsx";
import { OrderTable } from "./order-table.tsx";
import { OrderViews } from "./saved-order-views.tsx";
import { useSavedViews } from "./use-saved-views.ts";
import type { OrderListViews } from "./use-saved-views.ts";
import { parseFilter, isTotalCapped, useOrders, isFiltered } from "./use-filtered-orders.ts";
import type { OrderFilter } from "./use-filtered-orders.ts";
import { EmptyState } from "../../ui/page-states.tsx";

/** The institution's orders by state. The filter is stored in the address, so that going back restores it. */
export function OrderList() {
  const t = useTexts("order");
  const filter = parseFilter(useSearchParams());
  const views = useSavedViews();
  const [resetCount, { increment: resetFields }] = useCounter(0);
  return (
    <PageBody
      title={t("order.title")}
      description={t("order.says")}
      actions={
        <>
          <OrderViews views={views} onApplied={resetFields} />
          <ExportOrders filter={filter} />
          <PermissionGate to={orderCalls.save}>
            <Button component={ScreenLink} screen="sendPage" leftSection={<IconPlus size={18} aria-hidden />}>
              {t("order.new")}
            </Button>
          </PermissionGate>
        </>
      }
    >
      <Section flush>
        <OrderFilters filter={filter} resetCount={resetCount} />
        <OrderResults filter={filter} views={views} onShowAll={resetFields} />
      </Section>
    </PageBody>
  );
}

interface OrderResultsProps {
  filter: OrderFilter;
  views: OrderListViews;
  onShowAll: () => void;
}
function OrderResults({ filter, views, onShowAll }: OrderResultsProps) {
  const t = useTexts("order");
  const orders = useOrders(filter, views.isReady);
  const isWide = useMediaQuery("(min-width: 62em)", window.innerWidth >= 992, { getInitialValueInEffect: false });
  const total = orders.data?.total ?? 0;
  const all = t(isTotalCapped(filter, total) ? "order.list.moreThan" : "order.list.count", { count: total });
  return (
    <QueryResult
      of={orders}
      loading={<LoadingRows />}
      isEmpty={({ list }) => list.length === 0}
      empty={<EmptyOrderList filter={filter} onShowAll={onShowAll} />}
    >
      {({ list }) => (
        <div aria-busy={orders.isPlaceholderData}>
          {isWide ? <OrderTable orders={list} columns={views.columns} filter={filter} /> : <OrderCards orders={list} />}
          <LoadMore
            query={orders}
            summary={orders.hasNextPage ? t("order.list.shownOf", { shown: list.length, total: all }) : all}
            label={t("order.list.showMore")}
          />
        </div>
      )}
    </QueryResult>
  );
}

/** Explains why the list is empty and offers a next step. */
function EmptyOrderList({ filter, onShowAll }: Pick<OrderResultsProps, "filter" | "onShowAll">) {
  const t = useTexts("order");
  const maySend = useCanAccess(orderCalls.save);
  const kind = isFiltered(filter) ? "filter" : filter.turn ? "turn" : maySend ? "clinic" : "lab";
  return (
    <EmptyState title={t(`order.empty.${kind}Title`)} text={t(`order.empty.${kind}Text`)}>
      {(kind === "filter" || kind === "turn") && (
        <Button component={ScreenLink} screen="orderList" variant="default" onClick={onShowAll}>
          {t("order.empty.filterAction")}
        </Button>
      )}
      {kind === "clinic" && (
        <Button component={ScreenLink} screen="sendPage" leftSection={<IconPlus size={18} aria-hidden />}>
          {t("order.new")}
        </Button>
      )}
      {kind === "lab" && (
        <Button component={ScreenLink} screen="relationWeb" variant="default">
          {t("order.empty.labAction")}
        </Button>
      )}
    </EmptyState>
  );
}

function LoadingRows() {
  const t = useTexts();
  return (
    <Stack gap={0} role="status" aria-label={t("common.loading")}>
      {Array.from({ length: 6 }, (_, row) => (
        <Group key={row} px="md" py={14} gap="xl" wrap="nowrap">
          <Skeleton h={16} w="16%" />
          <Skeleton h={16} w="22%" />
          <Skeleton h={16} w="18%" visibleFrom="sm" />
          <Skeleton h={16} flex={1} />
        </Group>
      ))}
    </Stack>
  );
}

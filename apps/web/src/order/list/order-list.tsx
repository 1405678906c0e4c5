import { Button, Group, Skeleton, Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { ScreenLink, useSearch } from "../../kernel/link.tsx";
import { Permit } from "../../kernel/permit.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { Answer } from "../../ui/answer.tsx";
import { ListEnd } from "../../ui/list-end.tsx";
import { PageBody, Section } from "../../ui/page.tsx";
import { ExportOrders } from "./export-orders.tsx";
import { NoOrders } from "./no-orders.tsx";
import { OrderCards } from "./order-cards.tsx";
import { OrderFilters } from "./order-filters.tsx";
import { OrderTable } from "./order-table.tsx";
import { OrderViews } from "./order-views.tsx";
import { useLooks } from "./use-looks.ts";
import type { Looks } from "./use-looks.ts";
import { filterOf, isCountedOut, useOrders } from "./use-orders.ts";
import type { OrderFilter } from "./use-orders.ts";

/** The institution's orders by state. The filter is stored in the address, so that going back restores it. */
export function OrderList() {
  const t = useTexts("order");
  const filter = filterOf(useSearch());
  const looks = useLooks();
  return (
    <PageBody
      title={t("order.title")}
      says={t("order.says")}
      actions={
        <>
          <OrderViews looks={looks} />
          <ExportOrders filter={filter} />
          <Permit to={orderCalls.save}>
            <Button component={ScreenLink} screen="sendPage" leftSection={<IconPlus size={18} aria-hidden />}>
              {t("order.new")}
            </Button>
          </Permit>
        </>
      }
    >
      <Section flush>
        <OrderFilters filter={filter} />
        <Found filter={filter} looks={looks} />
      </Section>
    </PageBody>
  );
}

function Found({ filter, looks }: { filter: OrderFilter; looks: Looks }) {
  const t = useTexts("order");
  const orders = useOrders(filter, looks.isReady);
  const isWide = useMediaQuery("(min-width: 62em)", window.innerWidth >= 992, { getInitialValueInEffect: false });
  const total = orders.data?.total ?? 0;
  const all = t(isCountedOut(filter, total) ? "order.list.moreThan" : "order.list.count", { count: total });
  return (
    <Answer
      of={orders}
      waiting={<WaitingRows />}
      isEmpty={({ list }) => list.length === 0}
      empty={<NoOrders filter={filter} />}
    >
      {({ list }) => (
        <div aria-busy={orders.isPlaceholderData}>
          {isWide ? <OrderTable orders={list} columns={looks.columns} filter={filter} /> : <OrderCards orders={list} />}
          <ListEnd
            of={orders}
            says={orders.hasNextPage ? t("order.list.shownOf", { shown: list.length, total: all }) : all}
            label={t("order.list.showMore")}
          />
        </div>
      )}
    </Answer>
  );
}

function WaitingRows() {
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

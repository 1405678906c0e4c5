import { Button, Group, Pagination, Skeleton, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { pageRules } from "@arcada/contract/kernel/fields";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderStates } from "@arcada/contract/order/order.cycle";
import type { OrderState } from "@arcada/contract/order/order.cycle";
import { ScreenLink, useSearch, useSetSearch } from "../../kernel/link.tsx";
import { Permit } from "../../kernel/permit.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { Answer } from "../../ui/answer.tsx";
import { PageBody, Section } from "../../ui/page.tsx";
import { OrderCards } from "./order-cards.tsx";
import { OrderFilters } from "./order-filters.tsx";
import { OrderTable } from "./order-table.tsx";
import { NoOrders } from "./no-orders.tsx";

/** The organisation's orders by state. State, search and page live in the address. */
export function OrderList() {
  const t = useTexts("order");
  const filter = useFilter();
  const orders = useCall(orderCalls.list, { ...filter, pageSize: pageRules.usual }, { keep: true });
  return (
    <PageBody
      title={t("order.title")}
      says={t("order.says")}
      actions={
        <Permit to={orderCalls.save}>
          <Button component={ScreenLink} screen="sendPage" leftSection={<IconPlus size={18} aria-hidden />}>
            {t("order.new")}
          </Button>
        </Permit>
      }
    >
      <Section flush>
        <OrderFilters state={filter.state} turn={filter.turn} />
        <Answer
          of={orders}
          waiting={<WaitingRows />}
          isEmpty={({ list }) => list.length === 0}
          empty={<NoOrders filter={filter} />}
        >
          {({ list, total }) => <Page orders={list} total={total} page={filter.page} />}
        </Answer>
      </Section>
    </PageBody>
  );
}

export interface OrderFilter {
  page: number;
  state?: OrderState;
  turn?: "mine";
  search?: string;
}
function useFilter(): OrderFilter {
  const { page, state, turn, search } = useSearch();
  const known = orderStates.find((one) => one === state);
  return {
    page: Math.max(1, Math.trunc(Number(page)) || 1),
    ...(known && { state: known }),
    ...(turn === "mine" && { turn }),
    ...(search && { search }),
  };
}

type Orders = Parameters<typeof OrderTable>[0]["orders"];
function Page({ orders, total, page }: { orders: Orders; total: number; page: number }) {
  const t = useTexts("order");
  const isWide = useMediaQuery("(min-width: 62em)", window.innerWidth >= 992, { getInitialValueInEffect: false });
  const setSearch = useSetSearch();
  const pages = Math.ceil(total / pageRules.usual);
  return (
    <>
      {isWide ? <OrderTable orders={orders} /> : <OrderCards orders={orders} />}
      <Group justify="space-between" px="md" py="sm" gap="sm">
        <Text size="sm" c="dimmed">
          {t("common.total", { count: total })}
        </Text>
        {pages > 1 && (
          <Pagination
            total={pages}
            value={Math.min(page, pages)}
            size="sm"
            siblings={isWide ? 1 : 0}
            onChange={(chosen) => setSearch({ page: chosen > 1 ? String(chosen) : undefined })}
            getItemProps={(number) => ({ "aria-label": t("common.page", { page: number }) })}
            getControlProps={(control) => ({
              "aria-label": t(control === "next" || control === "last" ? "common.next" : "common.previous"),
            })}
            aria-label={t("order.pages")}
          />
        )}
      </Group>
    </>
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

import { OrderList } from "../order/list/order-list.tsx";

export const Page = () => <OrderList />;

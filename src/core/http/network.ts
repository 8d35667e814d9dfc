import { expandIPv6 } from 'hono/utils/ipaddr';

// Some proxies name the port as well; each connection has another one.
const portForm = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]*)\](?::\d+)?$/;
const mappedForm = /^(?:::|(?:0+:){5})ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The network of an address: an IPv4 address itself; for IPv6 the /64, since one customer has at least that many
 * addresses. A text that is not an address is used as it is.
 */
export const toNetwork = (address: string): string => {
  const bare = address.trim().toLowerCase().replace(portForm, '$1$2').replace(/%.*$/, '');
  const mapped = mappedForm.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!/^[0-9a-f:.]*:[0-9a-f:.]*$/.test(bare) || bare.split(':').length > 9) return bare;
  return `${expandIPv6(bare).split(':').slice(0, 4).join(':')}::/64`;
};

/** The /48 of an IPv6 address, which one customer may have; null for any other address. */
export const toSite = (address: string): string | null => {
  const network = toNetwork(address);
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null;
};

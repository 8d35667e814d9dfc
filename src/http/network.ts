import { expandIPv6 } from 'hono/utils/ipaddr';

// Some proxies name the port as well; each connection has another one.
const portForm = /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]*)\](?::\d+)?$/;
const mappedForm = /^(?:::|(?:0+:){5})ffff:(\d+\.\d+\.\d+\.\d+)$/;

/**
 * The network that an address stands for: an IPv4 address itself, an IPv6 address its /64, since one customer
 * holds at least that many. What is no address is its own network.
 */
export const toNetwork = (address: string): string => {
  const bare = address.trim().toLowerCase().replace(portForm, '$1$2').replace(/%.*$/, '');
  const mapped = mappedForm.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!/^[0-9a-f:.]*:[0-9a-f:.]*$/.test(bare) || bare.split(':').length > 9) return bare;
  return `${expandIPv6(bare).split(':').slice(0, 4).join(':')}::/64`;
};

/** The /48 that an IPv6 address lies in, as one customer may hold; null for any other address. */
export const toSite = (address: string): string | null => {
  const network = toNetwork(address);
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : null;
};

import { connect } from 'node:tls';

const limitMs = 5_000;

/** The expiry of a host's certificate; null if none can be read. */
export const readCertificateEnd = (address: string): Promise<number | null> => {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    // Only its expiry is checked: every client checks whether it is trusted.
    const socket = connect({
      host: hostname,
      port: Number(port) || 443,
      servername: hostname,
      rejectUnauthorized: false,
      timeout: limitMs,
    });
    const end = (found: number | null) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to ?? '');
      end(Number.isNaN(until) ? null : until);
    });
    socket.once('error', () => end(null));
    socket.once('timeout', () => end(null));
  });
};

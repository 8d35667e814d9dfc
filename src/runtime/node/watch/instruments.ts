import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of a registry that are read from their source at each scrape. */
export const instruments = (registers: Registry[]) => {
  /** What is null stays as it was. */
  const gauge = (name: string, help: string, read: () => number | null | Promise<number | null>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await read();
        if (value !== null) this.set(value);
      },
    });
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  return { gauge, counter };
};

/** What a metric says of each clinic; those that share a label are added up. */
type ReadClinics = () => Iterable<readonly [clinic: string, value: number]>;

/** The same with the label of a clinic. */
export const clinicInstruments = (registers: Registry[]) => {
  const options = (name: string, help: string, read: ReadClinics) => ({
    name,
    help,
    labelNames: ['clinic'] as const,
    registers,
    collect(this: Gauge<'clinic'> | Counter<'clinic'>) {
      this.reset();
      for (const [clinic, value] of read()) this.inc({ clinic }, value);
    },
  });
  return {
    gauge: (name: string, help: string, read: ReadClinics) => new Gauge(options(name, help, read)),
    counter: (name: string, help: string, read: ReadClinics) => new Counter(options(name, help, read)),
  };
};

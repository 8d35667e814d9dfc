declare module 'autocannon' {
  export interface Result {
    non2xx: number;
    errors: number;
    '2xx': number;
    duration: number;
    requests: { total: number };
  }
  export interface Run extends Promise<Result> {
    on(
      event: 'response',
      listener: (client: object, status: number, bytes: number, ms: number) => void,
    ): void;
  }
  export default function autocannon(options: object): Run;
}

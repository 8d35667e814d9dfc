const id = {
  title: 'Konsol klinik',
};

export default id;
export type Words = typeof id;

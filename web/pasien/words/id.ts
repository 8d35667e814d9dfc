const id = {
  title: 'Janji temu',
};

export default id;
export type Words = typeof id;

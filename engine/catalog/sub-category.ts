import type { Catalog } from './catalog.ts'

/** The path of the sub-category of a scope that a category is in; its own path where it is in none of them. */
export const subCategoryOf = (
  category_id: number,
  scope: string,
  { categories }: Pick<Catalog, 'categories'>,
): string => {
  const { path } = categories.byId(category_id)!
  if (!path.startsWith(`${scope}/`)) return path
  return path
    .split('/')
    .slice(0, scope.split('/').length + 1)
    .join('/')
}

/** Limits of a user's profile end a statement: other modes, filters and limits of rows answer with a part of them. */
const WHOLE_RESULTS: Readonly<Record<string, string>> = {
  timeout_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  read_overflow_mode_leaf: 'throw',
  group_by_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
  distinct_overflow_mode: 'throw',
  limit: '0',
  offset: '0',
  extremes: '0',
  additional_table_filters: '{}',
  additional_result_filter: '',
  apply_deleted_mask: '1',
}

/** A statement is computed by one replica of every shard, each of which reads a table once as it is at one moment. */
const ALL_SHARDS: Readonly<Record<string, string>> = {
  skip_unavailable_shards: '0',
  optimize_skip_unused_shards: '0',
  distributed_group_by_no_merge: '0',
  allow_experimental_parallel_reading_from_replicas: '0',
  enable_shared_storage_snapshot_in_query: '1',
  // Seconds and milliseconds after which a replica that accepts a connection and is silent is replaced by another.
  receive_timeout: '5',
  handshake_timeout_ms: '2000',
}

/** What a statement means depends on these settings of ClickHouse: each request sends them, and opening checks them. */
export const SETTINGS: Readonly<Record<string, string>> = {
  ...WHOLE_RESULTS,
  ...ALL_SHARDS,
  aggregate_functions_null_for_empty: '0',
  join_use_nulls: '1',
  join_default_strictness: 'ALL',
  any_join_distinct_right_table_keys: '0',
  group_by_use_nulls: '0',
  transform_null_in: '0',
  cast_keep_nullable: '0',
  empty_result_for_aggregation_by_empty_set: '0',
  prefer_column_name_to_alias: '1',
  enable_positional_arguments: '1',
  session_timezone: 'UTC',
  // A result is sent only once it is whole: a failure is then always a status other than 200.
  wait_end_of_query: '1',
  // A shorter one passes through no file.
  http_response_buffer_size: '1048576',
  cancel_http_readonly_queries_on_client_close: '1',
  output_format_json_quote_64bit_integers: '0',
  output_format_json_quote_denormals: '1',
  output_format_arrow_compression_method: 'none',
  output_format_arrow_string_as_string: '1',
  output_format_arrow_low_cardinality_as_dictionary: '0',
}

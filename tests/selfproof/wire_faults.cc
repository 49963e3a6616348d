#include "tests/selfproof/wire_faults.h"

namespace parity::testing {
namespace {

// clang-format off
constexpr WireFault kFaults[] = {
    {"drop_done", "chat/plain", "SurfaceRules/serial_chat_sse", "S-10"},
    {"double_done", "chat/plain", "SurfaceRules/serial_chat_sse", "S-10"},
    {"data_after_done", "chat/plain", "SurfaceRules/serial_chat_sse", "S-11"},
    {"double_finish", "chat/plain", "SurfaceRules/serial_chat_stream", "C-03"},
    {"finish_missing", "chat/plain", "SurfaceRules/serial_chat_stream", "C-03"},
    {"finish_empty", "chat/plain", "SurfaceRules/serial_chat_stream", "C-03"},
    {"role_repeated", "chat/plain", "SurfaceRules/serial_chat_stream", "C-02"},
    {"role_missing", "chat/plain", "SurfaceRules/serial_chat_stream", "C-02"},
    {"id_changes", "chat/plain", "SurfaceRules/serial_chat_stream", "C-01"},
    {"created_moves", "chat/plain", "SurfaceRules/serial_chat_stream", "C-01.created"},
    {"model_changes", "chat/plain", "SurfaceRules/serial_chat_stream", "C-01"},
    {"chat_in_completions", "completions/plain", "SurfaceRules/serial_completions_schema", "schema.core"},
    {"usage_on_every_chunk", "chat/plain", "SurfaceRules/serial_chat_stream", "C-05"},
    {"usage_missing", "chat/plain", "SurfaceRules/serial_chat_stream", "C-05"},
    {"usage_unasked", "chat/no_usage", "SurfaceRules/serial_chat_stream", "C-05"},
    {"usage_stream_differs", "chat/plain", "Probe/serial_chat_plain", "U-07"},
    {"stream_length_as_stop", "chat/plain", "Probe/serial_chat_plain", "C-07"},
    {"call_index_missing", "chat/tools_auto", "SurfaceRules/serial_chat_stream", "C-08"},
    {"call_name_repeated", "chat/tools_auto", "SurfaceRules/serial_chat_stream", "C-08"},
    {"call_arguments_null", "chat/tools_auto", "SurfaceRules/serial_chat_stream", "C-08"},
    {"partial_json_broken", "messages/tools_auto", "SurfaceRules/serial_messages_stream", "A-03"},
    {"last_blank_line", "chat/plain", "SurfaceRules/serial_chat_sse", "S-07"},
    {"no_event_line", "messages/plain", "SurfaceRules/serial_messages_stream", "A-01"},
    {"event_name_wrong", "messages/plain", "SurfaceRules/serial_messages_stream", "A-01"},
    {"two_blocks_open", "messages/think_on", "SurfaceRules/serial_messages_stream", "A-02"},
    {"block_index_stuck", "messages/think_on", "SurfaceRules/serial_messages_stream", "A-02"},
    {"message_stop_missing", "messages/plain", "SurfaceRules/serial_messages_stream", "W-19"},
    {"done_in_messages", "messages/plain", "SurfaceRules/serial_messages_stream", "A-01"},
    {"stop_sequence_null", "messages/stop_at", "SurfaceRules/serial_messages_stream", "A-05"},
    {"output_not_cumulative", "messages/plain", "Probe/serial_messages_plain", "U-07"},
    {"signature_missing", "messages/think_on", "SurfaceRules/serial_messages_equal", "A-07"},
    {"sequence_gap", "responses/plain", "SurfaceRules/serial_responses_stream", "R-01"},
    {"sequence_from_one", "responses/plain", "SurfaceRules/serial_responses_stream", "R-01"},
    {"missing_content_part_done", "responses/plain", "SurfaceRules/serial_responses_stream", "R-06"},
    {"item_id_changes", "responses/plain", "SurfaceRules/serial_responses_stream", "R-03"},
    {"output_index_stuck", "responses/think_on", "SurfaceRules/serial_responses_stream", "R-04"},
    {"incomplete_as_completed", "responses/plain", "Probe/serial_responses_plain", "W-22"},
    {"done_text_differs", "responses/plain", "SurfaceRules/serial_responses_stream", "R-05"},
    {"created_missing", "responses/plain", "SurfaceRules/serial_responses_stream", "R-02"},
    {"terminal_twice", "responses/plain", "SurfaceRules/serial_responses_sse", "S-11"},
    {"logprobs_missing", "responses/plain", "SurfaceRules/serial_responses_stream", "R-07"},
    {"usage_sum_wrong", "chat/plain", "SurfaceRules/serial_chat_usage", "U-01"},
    {"cached_over_prompt", "chat/plain", "SurfaceRules/serial_chat_usage", "U-02"},
    {"input_counts_cached", "messages/plain", "Probe/serial_messages_plain", "U-03"},
    {"whole_text_differs", "chat/plain", "Probe/serial_chat_plain", "C-07"},
    {"id_repeats", "chat/tools_", "Lane/serial_ids", "W-14"},
    {"finish_length_as_stop", "chat/plain", "Probe/serial_chat_plain", "C-07"},
    {"numeric_error_code", "chat/bad_json", "SurfaceRules/serial_chat_errors", "E-02"},
    {"error_param_missing", "chat/bad_json", "SurfaceRules/serial_chat_profile", "profile.keys"},
    {"wrong_envelope", "messages/bad_json", "SurfaceRules/serial_messages_errors", "A-08"},
    {"error_as_text", "chat/bad_json", "SurfaceRules/serial_chat_http", "H-08"},
    {"error_200", "chat/bad_json", "SurfaceRules/serial_chat_errors", "E-01"},
    {"coded_cut", "chat/gzip", "Probe/serial_chat_gzip", "H-08.coding"},
    {"cors_missing", "chat/preflight", "SurfaceRules/serial_chat_http", "H-10"},
    {"shed_without_retry_after", "chat/shed_clients", "SurfaceRules/serial_chat_equal", "equal.headers"},
    {"shed_as_failure", "chat/shed_clients", "Probe/serial_chat_shed_clients", "refusal"},
    {"chunked_without_end", "chat/plain", "SurfaceRules/serial_chat_http", "H-09"},
    {"content_length_long", "chat/plain", "SurfaceRules/serial_chat_http", "H-08"},
    {"burst_at_end", "chat/long_answer", "SurfaceRules/serial_chat_sse", "S-12"},
    {"stop_leaked", "chat/stop_at", "SurfaceRules/serial_chat_text", "C-11"},
    {"hold_back_lost", "chat/stop_never", "Probe/serial_chat_stop_never", "C-07"},
    {"think_tag_leaked", "chat/think_on", "SurfaceRules/serial_chat_text", "C-10"},
    {"wrong_lane", "chat/plain", "Probe/continuous_chat_plain", "route"},
    {"counter_not_moved", "chat/plain", "Probe/serial_chat_plain", "counters"},
    {"tokens_counted_twice", "chat/plain", "Lane/serial_metrics", "M-04"},
    {"slot_leak_on_disconnect", "chat/leaves_stream", "Probe/serial_chat_leaves_stream", "settle"},
    {"runs_on", "chat/leaves_stream", "Probe/serial_chat_leaves_stream", "counters"},
    {"continuation_lost", "chat/continuation", "Probe/serial_chat_continuation", "refusal"},
    {"continuation_stays", "chat/continuation", "Probe/serial_chat_continuation", "refusal"},
    {"shutdown_cuts_streams", "chat/shutdown", "Probe/serial_chat_shutdown", "end"},
};
// clang-format on

constexpr HiddenFault kHidden[] = {
    {"utf8_split", "the tiny model's text is ASCII; rule S-01 is tested on transcripts"},
};

}  // namespace

std::span<const WireFault> WireFaults() { return kFaults; }

std::span<const HiddenFault> HiddenWireFaults() { return kHidden; }

}  // namespace parity::testing

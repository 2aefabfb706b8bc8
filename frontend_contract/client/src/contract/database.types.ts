export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      conversation_summaries: {
        Row: {
          conversation_id: string;
          generator: string | null;
          messages_covered: number;
          previous: Json | null;
          prompt_version: string | null;
          rolling_summary: string | null;
          source_ids: string[];
          summary: string;
          through_message_id: string | null;
          updated_at: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          conversation_id: string;
          generator?: string | null;
          messages_covered?: number;
          previous?: Json | null;
          prompt_version?: string | null;
          rolling_summary?: string | null;
          source_ids?: string[];
          summary: string;
          through_message_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Update: {
          conversation_id?: string;
          generator?: string | null;
          messages_covered?: number;
          previous?: Json | null;
          prompt_version?: string | null;
          rolling_summary?: string | null;
          source_ids?: string[];
          summary?: string;
          through_message_id?: string | null;
          updated_at?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "conversation_summaries_conversation_id_fkey";
            columns: ["conversation_id"];
            isOneToOne: true;
            referencedRelation: "conversations";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "conversation_summaries_through";
            columns: ["conversation_id", "through_message_id"];
            isOneToOne: false;
            referencedRelation: "messages";
            referencedColumns: ["conversation_id", "id"];
          },
        ];
      };
      conversations: {
        Row: {
          created_at: string;
          id: string;
          memory_enabled: boolean | null;
          mode: string;
          persona_id: string | null;
          profile_id: string | null;
          title: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          id?: string;
          memory_enabled?: boolean | null;
          mode?: string;
          persona_id?: string | null;
          profile_id?: string | null;
          title?: string | null;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          memory_enabled?: boolean | null;
          mode?: string;
          persona_id?: string | null;
          profile_id?: string | null;
          title?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "conversations_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      conversations_participants: {
        Row: {
          conversation_id: string;
          joined_at: string;
          memory_enabled: boolean | null;
          profile_id: string | null;
          remember_since: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          conversation_id: string;
          joined_at?: string;
          memory_enabled?: boolean | null;
          profile_id?: string | null;
          remember_since?: string | null;
          user_id: string;
        };
        Update: {
          conversation_id?: string;
          joined_at?: string;
          memory_enabled?: boolean | null;
          profile_id?: string | null;
          remember_since?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "conversations_participants_conversation_id_fkey";
            columns: ["conversation_id"];
            isOneToOne: false;
            referencedRelation: "conversations";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "conversations_participants_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      messages: {
        Row: {
          content: string;
          conversation_id: string;
          created_at: string;
          id: string;
          meta: NonNullable<Json>;
          role: string;
          turn_index: number | null;
          user_id: string | null;
        };
        ComputedFields: never;
        Insert: {
          content: string;
          conversation_id: string;
          created_at?: string;
          id?: string;
          meta?: NonNullable<Json>;
          role: string;
          turn_index?: number | null;
          user_id?: string | null;
        };
        Update: {
          content?: string;
          conversation_id?: string;
          created_at?: string;
          id?: string;
          meta?: NonNullable<Json>;
          role?: string;
          turn_index?: number | null;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "messages_conversation_id_fkey";
            columns: ["conversation_id"];
            isOneToOne: false;
            referencedRelation: "conversations";
            referencedColumns: ["id"];
          },
        ];
      };
      user_memory: {
        Row: {
          archived_at: string | null;
          astrological_context: Json | null;
          confidence_score: number;
          conversation_id: string | null;
          created_at: string;
          deleted_at: string | null;
          doubted_at: string | null;
          entity_label: string | null;
          entity_refs: string[];
          entity_type: string | null;
          expires_at: string | null;
          folded_into: string | null;
          id: string;
          importance: number;
          is_active: boolean;
          language: string;
          last_referenced_at: string | null;
          memory_key: string | null;
          memory_no: number;
          memory_text: string;
          memory_type: Database["public"]["Enums"]["memory_type"];
          origin_mode: string | null;
          period: string | null;
          persona_id: string | null;
          pinned: boolean;
          profile_id: string;
          reference_count: number;
          restated_at: string | null;
          source: string;
          source_message_id: string | null;
          source_quote: string | null;
          status: string;
          subtype: string;
          supersedes_id: string | null;
          turn_index: number | null;
          updated_at: string;
          user_id: string;
          valid_from: string;
          valid_to: string | null;
          value: string | null;
          conversations: {
            created_at: string;
            id: string;
            memory_enabled: boolean | null;
            mode: string;
            persona_id: string | null;
            profile_id: string | null;
            title: string | null;
            user_id: string;
          } | null;
        };
        ComputedFields: "conversations";
        Insert: {
          archived_at?: string | null;
          astrological_context?: Json | null;
          confidence_score?: number;
          conversation_id?: string | null;
          created_at?: string;
          deleted_at?: string | null;
          doubted_at?: string | null;
          entity_label?: string | null;
          entity_refs?: string[];
          entity_type?: string | null;
          expires_at?: string | null;
          folded_into?: string | null;
          id?: string;
          importance?: number;
          is_active?: never;
          language?: string;
          last_referenced_at?: string | null;
          memory_key?: string | null;
          memory_no: number;
          memory_text: string;
          memory_type: Database["public"]["Enums"]["memory_type"];
          origin_mode?: string | null;
          period?: string | null;
          persona_id?: string | null;
          pinned?: boolean;
          profile_id: string;
          reference_count?: number;
          restated_at?: string | null;
          source?: string;
          source_message_id?: string | null;
          source_quote?: string | null;
          status?: string;
          subtype?: string;
          supersedes_id?: string | null;
          turn_index?: number | null;
          updated_at?: string;
          user_id: string;
          valid_from?: string;
          valid_to?: string | null;
          value?: string | null;
        };
        Update: {
          archived_at?: string | null;
          astrological_context?: Json | null;
          confidence_score?: number;
          conversation_id?: string | null;
          created_at?: string;
          deleted_at?: string | null;
          doubted_at?: string | null;
          entity_label?: string | null;
          entity_refs?: string[];
          entity_type?: string | null;
          expires_at?: string | null;
          folded_into?: string | null;
          id?: string;
          importance?: number;
          is_active?: never;
          language?: string;
          last_referenced_at?: string | null;
          memory_key?: string | null;
          memory_no?: number;
          memory_text?: string;
          memory_type?: Database["public"]["Enums"]["memory_type"];
          origin_mode?: string | null;
          period?: string | null;
          persona_id?: string | null;
          pinned?: boolean;
          profile_id?: string;
          reference_count?: number;
          restated_at?: string | null;
          source?: string;
          source_message_id?: string | null;
          source_quote?: string | null;
          status?: string;
          subtype?: string;
          supersedes_id?: string | null;
          turn_index?: number | null;
          updated_at?: string;
          user_id?: string;
          valid_from?: string;
          valid_to?: string | null;
          value?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_conversation";
            columns: ["user_id", "conversation_id"];
            isOneToOne: false;
            referencedRelation: "conversations_participants";
            referencedColumns: ["user_id", "conversation_id"];
          },
          {
            foreignKeyName: "user_memory_folded_into";
            columns: ["user_id", "folded_into"];
            isOneToOne: false;
            referencedRelation: "user_memory";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_source_message";
            columns: ["user_id", "source_message_id"];
            isOneToOne: false;
            referencedRelation: "messages";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_supersedes";
            columns: ["user_id", "supersedes_id"];
            isOneToOne: false;
            referencedRelation: "user_memory";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_alias_proposals: {
        Row: {
          created_at: string;
          decided_at: string | null;
          id: string;
          key: string;
          profile_id: string;
          similarity: number;
          status: string;
          user_id: string;
          variant: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          decided_at?: string | null;
          id?: string;
          key: string;
          profile_id: string;
          similarity: number;
          status?: string;
          user_id: string;
          variant: string;
        };
        Update: {
          created_at?: string;
          decided_at?: string | null;
          id?: string;
          key?: string;
          profile_id?: string;
          similarity?: number;
          status?: string;
          user_id?: string;
          variant?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_alias_proposals_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_daily_summaries: {
        Row: {
          conversation_count: number;
          created_at: string;
          generator: string;
          id: string;
          key_themes: string[];
          memory_ids: string[];
          message_ids: string[];
          outlines: NonNullable<Json>;
          previous: Json | null;
          profile_id: string;
          prompt_version: string | null;
          source_ids: string[];
          sources_hash: string | null;
          summary: string;
          summary_date: string;
          updated_at: string;
          user_id: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          conversation_count?: number;
          created_at?: string;
          generator: string;
          id?: string;
          key_themes?: string[];
          memory_ids?: string[];
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          previous?: Json | null;
          profile_id: string;
          prompt_version?: string | null;
          source_ids?: string[];
          sources_hash?: string | null;
          summary: string;
          summary_date: string;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          conversation_count?: number;
          created_at?: string;
          generator?: string;
          id?: string;
          key_themes?: string[];
          memory_ids?: string[];
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          previous?: Json | null;
          profile_id?: string;
          prompt_version?: string | null;
          source_ids?: string[];
          sources_hash?: string | null;
          summary?: string;
          summary_date?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_daily_summaries_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_entities: {
        Row: {
          aliases: string[];
          created_at: string;
          id: string;
          key: string;
          kind: string;
          label: string;
          names: string[];
          profile_id: string;
          renamed: boolean;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          aliases?: string[];
          created_at?: string;
          id?: string;
          key: string;
          kind?: never;
          label: string;
          names?: never;
          profile_id: string;
          renamed?: boolean;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          aliases?: string[];
          created_at?: string;
          id?: string;
          key?: string;
          kind?: never;
          label?: string;
          names?: never;
          profile_id?: string;
          renamed?: boolean;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_entities_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_forgotten_summaries: {
        Row: {
          created_at: string;
          first_date: string | null;
          id: string;
          kind: string;
          profile_id: string;
          session_id: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          first_date?: string | null;
          id?: string;
          kind: string;
          profile_id: string;
          session_id?: string | null;
          user_id: string;
        };
        Update: {
          created_at?: string;
          first_date?: string | null;
          id?: string;
          kind?: string;
          profile_id?: string;
          session_id?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_forgotten_summaries_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_forgotten_summaries_session";
            columns: ["user_id", "session_id"];
            isOneToOne: false;
            referencedRelation: "user_memory_sessions";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_history_summaries: {
        Row: {
          created_at: string;
          days_hash: string;
          end_date: string;
          generator: string;
          id: string;
          memory_ids: string[];
          message_ids: string[];
          outlines: NonNullable<Json>;
          previous: Json | null;
          profile_id: string;
          prompt_version: string | null;
          source_ids: string[];
          start_date: string;
          summary: string;
          updated_at: string;
          user_id: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          days_hash: string;
          end_date: string;
          generator: string;
          id?: string;
          memory_ids?: string[];
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          previous?: Json | null;
          profile_id: string;
          prompt_version?: string | null;
          source_ids?: string[];
          start_date: string;
          summary: string;
          updated_at?: string;
          user_id: string;
          version?: number;
        };
        Update: {
          created_at?: string;
          days_hash?: string;
          end_date?: string;
          generator?: string;
          id?: string;
          memory_ids?: string[];
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          previous?: Json | null;
          profile_id?: string;
          prompt_version?: string | null;
          source_ids?: string[];
          start_date?: string;
          summary?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_history_summaries_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_monthly_summaries: {
        Row: {
          cognitive_summary: string | null;
          conversation_count: number;
          created_at: string;
          dominant_transits: Json | null;
          emotional_summary: string;
          generator: string;
          id: string;
          key_themes: string[];
          memory_ids: string[];
          message_ids: string[];
          month: number;
          outlines: NonNullable<Json>;
          planetary_influences: Json | null;
          previous: Json | null;
          profile_id: string;
          prompt_version: string | null;
          source_ids: string[];
          sources_hash: string | null;
          updated_at: string;
          user_id: string;
          version: number;
          weekly_summaries_used: number;
          year: number;
        };
        ComputedFields: never;
        Insert: {
          cognitive_summary?: string | null;
          conversation_count?: number;
          created_at?: string;
          dominant_transits?: Json | null;
          emotional_summary: string;
          generator: string;
          id?: string;
          key_themes?: string[];
          memory_ids?: string[];
          message_ids?: string[];
          month: number;
          outlines?: NonNullable<Json>;
          planetary_influences?: Json | null;
          previous?: Json | null;
          profile_id: string;
          prompt_version?: string | null;
          source_ids?: string[];
          sources_hash?: string | null;
          updated_at?: string;
          user_id: string;
          version?: number;
          weekly_summaries_used?: number;
          year: number;
        };
        Update: {
          cognitive_summary?: string | null;
          conversation_count?: number;
          created_at?: string;
          dominant_transits?: Json | null;
          emotional_summary?: string;
          generator?: string;
          id?: string;
          key_themes?: string[];
          memory_ids?: string[];
          message_ids?: string[];
          month?: number;
          outlines?: NonNullable<Json>;
          planetary_influences?: Json | null;
          previous?: Json | null;
          profile_id?: string;
          prompt_version?: string | null;
          source_ids?: string[];
          sources_hash?: string | null;
          updated_at?: string;
          user_id?: string;
          version?: number;
          weekly_summaries_used?: number;
          year?: number;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_monthly_summaries_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_place_mentions: {
        Row: {
          conversation_id: string | null;
          id: string;
          mentioned_at: string;
          place: string;
          profile_id: string;
          source_message_id: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          conversation_id?: string | null;
          id?: string;
          mentioned_at?: string;
          place: string;
          profile_id: string;
          source_message_id?: string | null;
          user_id: string;
        };
        Update: {
          conversation_id?: string | null;
          id?: string;
          mentioned_at?: string;
          place?: string;
          profile_id?: string;
          source_message_id?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_place_mentions_conversation";
            columns: ["user_id", "conversation_id"];
            isOneToOne: false;
            referencedRelation: "conversations_participants";
            referencedColumns: ["user_id", "conversation_id"];
          },
          {
            foreignKeyName: "user_memory_place_mentions_message";
            columns: ["user_id", "source_message_id"];
            isOneToOne: false;
            referencedRelation: "messages";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_place_mentions_place";
            columns: ["user_id", "place"];
            isOneToOne: false;
            referencedRelation: "user_memory_places";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_place_mentions_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_places: {
        Row: {
          created_at: string;
          id: string;
          name: string;
          notes: string | null;
          place_id: string;
          profile_id: string;
          source: string;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          created_at?: string;
          id?: string;
          name: string;
          notes?: string | null;
          place_id: string;
          profile_id: string;
          source?: string;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          created_at?: string;
          id?: string;
          name?: string;
          notes?: string | null;
          place_id?: string;
          profile_id?: string;
          source?: string;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_places_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_session_state: {
        Row: {
          generator: string | null;
          id: string;
          last_interaction: string;
          last_rolling_success_at: string | null;
          message_count: number;
          message_ids: string[];
          outlines: NonNullable<Json>;
          persona_id: string | null;
          profile_id: string;
          prompt_version: string | null;
          refresh_due_at: string | null;
          rolling_summary: string;
          source_ids: string[];
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          generator?: string | null;
          id?: string;
          last_interaction: string;
          last_rolling_success_at?: string | null;
          message_count?: number;
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          persona_id?: string | null;
          profile_id: string;
          prompt_version?: string | null;
          refresh_due_at?: string | null;
          rolling_summary?: string;
          source_ids?: string[];
          user_id: string;
        };
        Update: {
          generator?: string | null;
          id?: string;
          last_interaction?: string;
          last_rolling_success_at?: string | null;
          message_count?: number;
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          persona_id?: string | null;
          profile_id?: string;
          prompt_version?: string | null;
          refresh_due_at?: string | null;
          rolling_summary?: string;
          source_ids?: string[];
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_session_state_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_session_summaries: {
        Row: {
          commitments: string[];
          created_at: string;
          ended_at: string;
          generator: string;
          id: string;
          message_ids: string[];
          one_liner: string;
          open_loops: string[];
          people: string[];
          persona_id: string | null;
          profile_id: string;
          prompt_version: string | null;
          session_id: string;
          source_ids: string[];
          tone: string;
          updated_at: string;
          user_id: string;
          what_mattered: string[];
        };
        ComputedFields: never;
        Insert: {
          commitments?: string[];
          created_at?: string;
          ended_at: string;
          generator: string;
          id?: string;
          message_ids?: string[];
          one_liner: string;
          open_loops?: string[];
          people?: string[];
          persona_id?: string | null;
          profile_id: string;
          prompt_version?: string | null;
          session_id: string;
          source_ids?: string[];
          tone?: string;
          updated_at?: string;
          user_id: string;
          what_mattered?: string[];
        };
        Update: {
          commitments?: string[];
          created_at?: string;
          ended_at?: string;
          generator?: string;
          id?: string;
          message_ids?: string[];
          one_liner?: string;
          open_loops?: string[];
          people?: string[];
          persona_id?: string | null;
          profile_id?: string;
          prompt_version?: string | null;
          session_id?: string;
          source_ids?: string[];
          tone?: string;
          updated_at?: string;
          user_id?: string;
          what_mattered?: string[];
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_session_summaries_of_session";
            columns: ["user_id", "session_id"];
            isOneToOne: true;
            referencedRelation: "user_memory_sessions";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_session_summaries_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_sessions: {
        Row: {
          ended_at: string | null;
          id: string;
          last_activity_at: string;
          persona_id: string | null;
          profile_id: string;
          started_at: string;
          summary_due_at: string | null;
          turn_count: number;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          ended_at?: string | null;
          id?: string;
          last_activity_at: string;
          persona_id?: string | null;
          profile_id: string;
          started_at: string;
          summary_due_at?: string | null;
          turn_count?: number;
          user_id: string;
        };
        Update: {
          ended_at?: string | null;
          id?: string;
          last_activity_at?: string;
          persona_id?: string | null;
          profile_id?: string;
          started_at?: string;
          summary_due_at?: string | null;
          turn_count?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_sessions_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_settings: {
        Row: {
          allowed_types: Database["public"]["Enums"]["memory_type"][];
          building: boolean;
          created_at: string;
          enabled: boolean;
          erased_before: string | null;
          every_chat: boolean;
          long_term: boolean;
          onboarding_seen_at: string | null;
          retention_days: NonNullable<Json>;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          allowed_types?: Database["public"]["Enums"]["memory_type"][];
          building?: boolean;
          created_at?: string;
          enabled?: boolean;
          erased_before?: string | null;
          every_chat?: boolean;
          long_term?: boolean;
          onboarding_seen_at?: string | null;
          retention_days?: NonNullable<Json>;
          updated_at?: string;
          user_id?: string;
        };
        Update: {
          allowed_types?: Database["public"]["Enums"]["memory_type"][];
          building?: boolean;
          created_at?: string;
          enabled?: boolean;
          erased_before?: string | null;
          every_chat?: boolean;
          long_term?: boolean;
          onboarding_seen_at?: string | null;
          retention_days?: NonNullable<Json>;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [];
      };
      user_memory_spine: {
        Row: {
          content: NonNullable<Json>;
          created_at: string;
          generator: string;
          id: string;
          message_count: number;
          message_ids: string[];
          profile_id: string;
          prompt_version: string | null;
          source_ids: string[];
          user_id: string;
          version: number;
        };
        ComputedFields: never;
        Insert: {
          content: NonNullable<Json>;
          created_at?: string;
          generator: string;
          id?: string;
          message_count: number;
          message_ids?: string[];
          profile_id: string;
          prompt_version?: string | null;
          source_ids?: string[];
          user_id: string;
          version: number;
        };
        Update: {
          content?: NonNullable<Json>;
          created_at?: string;
          generator?: string;
          id?: string;
          message_count?: number;
          message_ids?: string[];
          profile_id?: string;
          prompt_version?: string | null;
          source_ids?: string[];
          user_id?: string;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_spine_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_todos: {
        Row: {
          closed_at: string | null;
          closed_by_message_id: string | null;
          conversation_id: string | null;
          created_at: string;
          due_date: string | null;
          id: string;
          kind: string;
          opened_at: string;
          persona_id: string | null;
          profile_id: string;
          source: string;
          source_message_id: string | null;
          source_quote: string | null;
          status: string;
          todo_text: string;
          updated_at: string;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          closed_at?: string | null;
          closed_by_message_id?: string | null;
          conversation_id?: string | null;
          created_at?: string;
          due_date?: string | null;
          id?: string;
          kind: string;
          opened_at?: string;
          persona_id?: string | null;
          profile_id: string;
          source?: string;
          source_message_id?: string | null;
          source_quote?: string | null;
          status?: string;
          todo_text: string;
          updated_at?: string;
          user_id: string;
        };
        Update: {
          closed_at?: string | null;
          closed_by_message_id?: string | null;
          conversation_id?: string | null;
          created_at?: string;
          due_date?: string | null;
          id?: string;
          kind?: string;
          opened_at?: string;
          persona_id?: string | null;
          profile_id?: string;
          source?: string;
          source_message_id?: string | null;
          source_quote?: string | null;
          status?: string;
          todo_text?: string;
          updated_at?: string;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_todos_closing_message";
            columns: ["user_id", "closed_by_message_id"];
            isOneToOne: false;
            referencedRelation: "messages";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_todos_conversation";
            columns: ["user_id", "conversation_id"];
            isOneToOne: false;
            referencedRelation: "conversations_participants";
            referencedColumns: ["user_id", "conversation_id"];
          },
          {
            foreignKeyName: "user_memory_todos_message";
            columns: ["user_id", "source_message_id"];
            isOneToOne: false;
            referencedRelation: "messages";
            referencedColumns: ["user_id", "id"];
          },
          {
            foreignKeyName: "user_memory_todos_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_weekly_summaries: {
        Row: {
          conversation_count: number;
          created_at: string;
          dominant_patterns: string[];
          emotional_summary: string;
          energy_shifts: string[];
          generator: string;
          id: string;
          key_themes: string[];
          memory_ids: string[];
          message_ids: string[];
          outlines: NonNullable<Json>;
          previous: Json | null;
          profile_id: string;
          prompt_version: string | null;
          source_ids: string[];
          sources_hash: string | null;
          summary: string;
          updated_at: string;
          user_id: string;
          version: number;
          week_end_date: string;
          week_number: number;
          week_start_date: string;
          year: number;
        };
        ComputedFields: never;
        Insert: {
          conversation_count?: number;
          created_at?: string;
          dominant_patterns?: string[];
          emotional_summary: string;
          energy_shifts?: string[];
          generator: string;
          id?: string;
          key_themes?: string[];
          memory_ids?: string[];
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          previous?: Json | null;
          profile_id: string;
          prompt_version?: string | null;
          source_ids?: string[];
          sources_hash?: string | null;
          summary: string;
          updated_at?: string;
          user_id: string;
          version?: number;
          week_end_date: string;
          week_number: number;
          week_start_date: string;
          year: number;
        };
        Update: {
          conversation_count?: number;
          created_at?: string;
          dominant_patterns?: string[];
          emotional_summary?: string;
          energy_shifts?: string[];
          generator?: string;
          id?: string;
          key_themes?: string[];
          memory_ids?: string[];
          message_ids?: string[];
          outlines?: NonNullable<Json>;
          previous?: Json | null;
          profile_id?: string;
          prompt_version?: string | null;
          source_ids?: string[];
          sources_hash?: string | null;
          summary?: string;
          updated_at?: string;
          user_id?: string;
          version?: number;
          week_end_date?: string;
          week_number?: number;
          week_start_date?: string;
          year?: number;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_weekly_summaries_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_memory_yearly_comparisons: {
        Row: {
          appeared: string[];
          changed: string[];
          created_at: string;
          generator: string;
          growth: string;
          id: string;
          memory_ids: string[];
          message_ids: string[];
          month: number;
          profile_id: string;
          prompt_version: string | null;
          source_ids: string[];
          stayed: string[];
          user_id: string;
          year: number;
        };
        ComputedFields: never;
        Insert: {
          appeared?: string[];
          changed?: string[];
          created_at?: string;
          generator: string;
          growth: string;
          id?: string;
          memory_ids?: string[];
          message_ids?: string[];
          month: number;
          profile_id: string;
          prompt_version?: string | null;
          source_ids: string[];
          stayed?: string[];
          user_id: string;
          year: number;
        };
        Update: {
          appeared?: string[];
          changed?: string[];
          created_at?: string;
          generator?: string;
          growth?: string;
          id?: string;
          memory_ids?: string[];
          message_ids?: string[];
          month?: number;
          profile_id?: string;
          prompt_version?: string | null;
          source_ids?: string[];
          stayed?: string[];
          user_id?: string;
          year?: number;
        };
        Relationships: [
          {
            foreignKeyName: "user_memory_yearly_comparisons_profile";
            columns: ["user_id", "profile_id"];
            isOneToOne: false;
            referencedRelation: "user_profile_list";
            referencedColumns: ["user_id", "id"];
          },
        ];
      };
      user_profile_list: {
        Row: {
          birth_chart: Json | null;
          created_at: string;
          id: string;
          is_primary: boolean;
          locale: string | null;
          name: string | null;
          nickname: string | null;
          pronouns: string | null;
          timezone: string | null;
          user_id: string;
        };
        ComputedFields: never;
        Insert: {
          birth_chart?: Json | null;
          created_at?: string;
          id?: string;
          is_primary?: boolean;
          locale?: string | null;
          name?: string | null;
          nickname?: string | null;
          pronouns?: string | null;
          timezone?: string | null;
          user_id?: string;
        };
        Update: {
          birth_chart?: Json | null;
          created_at?: string;
          id?: string;
          is_primary?: boolean;
          locale?: string | null;
          name?: string | null;
          nickname?: string | null;
          pronouns?: string | null;
          timezone?: string | null;
          user_id?: string;
        };
        Relationships: [];
      };
    };
    Views: {
      [_ in never]: never;
    };
    Functions: {
      add_entity_alias: { Args: { alias: string; entity_id: string }; Returns: OperationResult };
      answer_pending_operation: { Args: { accept: boolean; operation_id: string }; Returns: OperationResult };
      clear_my_memories: { Args: Record<PropertyKey, never>; Returns: OperationResult };
      confirm_alias: { Args: { proposal_id: string }; Returns: OperationResult };
      confirm_memory: { Args: { memory_id: string }; Returns: OperationResult };
      conversations: {
        Args: { "": Database["public"]["Tables"]["user_memory"]["Row"] };
        Returns: {
          error: true;
        } & "the function public.conversations with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache";
        SetofOptions: {
          from: "user_memory";
          to: "conversations";
          isOneToOne: true;
          isSetofReturn: true;
        };
      };
      end_memory: { Args: { memory_id: string }; Returns: OperationResult };
      forget_memory: { Args: { memory_id: string }; Returns: OperationResult };
      forget_place: { Args: { place: string }; Returns: OperationResult };
      forget_summary: { Args: { summary: string }; Returns: OperationResult };
      forget_todo: { Args: { todo: string }; Returns: OperationResult };
      memory_operations: {
        Args: { max_results?: number; memory_id?: string };
        Returns: {
          actor: string;
          happened_at: string;
          memories: ChangedMemory[];
          operation_id: string;
          reasons: string[];
          undone_at: string | null;
        }[];
      };
      memory_overview: { Args: Record<PropertyKey, never>; Returns: MemoryOverview };
      memory_participation: {
        Args: { conversation_id: string };
        Returns: {
          conversation_id: string;
          joined_at: string;
          memory_enabled: boolean | null;
          profile_id: string | null;
          remember_since: string | null;
          user_id: string;
        };
        SetofOptions: {
          from: "*";
          to: "conversations_participants";
          isOneToOne: true;
          isSetofReturn: true;
        };
      };
      memory_profiles: {
        Args: Record<PropertyKey, never>;
        Returns: {
          birth_chart: Json | null;
          created_at: string;
          id: string;
          is_primary: boolean;
          locale: string | null;
          name: string | null;
          nickname: string | null;
          pronouns: string | null;
          timezone: string | null;
          user_id: string;
        }[];
        SetofOptions: {
          from: "*";
          to: "user_profile_list";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      pending_operations: {
        Args: Record<PropertyKey, never>;
        Returns: {
          asked_at: string;
          expires_at: string;
          memories: PendingMemory[];
          operation: string;
          operation_id: string;
        }[];
      };
      refuse_alias: { Args: { proposal_id: string }; Returns: OperationResult };
      remove_entity_alias: { Args: { alias: string; entity_id: string }; Returns: OperationResult };
      rename_entity: { Args: { entity_id: string; label: string }; Returns: OperationResult };
      restore_memory: { Args: { memory_id: string }; Returns: OperationResult };
      save_message: {
        Args: {
          content: string;
          conversation_id: string;
          message_id: string;
          replace?: boolean;
          role: string;
          user_id: string;
        };
        Returns: undefined;
      };
      search_user_memory: {
        Args: { max_results?: number; query: string; types?: Database["public"]["Enums"]["memory_type"][] };
        Returns: {
          archived_at: string | null;
          astrological_context: Json | null;
          confidence_score: number;
          conversation_id: string | null;
          created_at: string;
          deleted_at: string | null;
          doubted_at: string | null;
          entity_label: string | null;
          entity_refs: string[];
          entity_type: string | null;
          expires_at: string | null;
          folded_into: string | null;
          id: string;
          importance: number;
          is_active: boolean;
          language: string;
          last_referenced_at: string | null;
          memory_key: string | null;
          memory_no: number;
          memory_text: string;
          memory_type: Database["public"]["Enums"]["memory_type"];
          origin_mode: string | null;
          period: string | null;
          persona_id: string | null;
          pinned: boolean;
          profile_id: string;
          reference_count: number;
          restated_at: string | null;
          source: string;
          source_message_id: string | null;
          source_quote: string | null;
          status: string;
          subtype: string;
          supersedes_id: string | null;
          turn_index: number | null;
          updated_at: string;
          user_id: string;
          valid_from: string;
          valid_to: string | null;
          value: string | null;
        }[];
        SetofOptions: {
          from: "*";
          to: "user_memory";
          isOneToOne: false;
          isSetofReturn: true;
        };
      };
      set_memory_persona: { Args: { memory_id: string; persona_id?: string }; Returns: OperationResult };
      source_message: {
        Args: { message_id: string };
        Returns: {
          content: string;
          created_at: string;
          id: string;
        }[];
      };
      undo_operation: { Args: { operation_id: string }; Returns: UndoResult };
    };
    Enums: {
      memory_type: "fact" | "emotion" | "goal" | "pattern" | "relationship";
    };
    CompositeTypes: {
      [_ in never]: never;
    };
  };
};

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">;

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">];

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    keyof (DefaultSchema["Tables"] & DefaultSchema["Views"]) | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R;
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R;
      }
      ? R
      : never
    : never;

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I;
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I;
      }
      ? I
      : never
    : never;

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"] | { schema: keyof DatabaseWithoutInternals },
  TableName extends (DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never) = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U;
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U;
      }
      ? U
      : never
    : never;

export type Enums<
  DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"] | { schema: keyof DatabaseWithoutInternals },
  EnumName extends (DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never) = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
    : never;

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    keyof DefaultSchema["CompositeTypes"] | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends (PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals;
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never) = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
    : never;

export const Constants = {
  public: {
    Enums: {
      memory_type: ["fact", "emotion", "goal", "pattern", "relationship"],
    },
  },
} as const;

/** What a change did: how many rows, and the operation that `undo_operation` takes, where it did something. */
export interface OperationResult {
  operation_id: string | null;
  affected: number;
}

export interface UndoResult extends OperationResult {
  undone: string;
}

type MemoryStatus = "active" | "superseded" | "archived" | "expired" | "deleted";
type MemoryType = Database["public"]["Enums"]["memory_type"];

/** The person's memories in numbers, and their settings with what holds where they chose nothing. */
export interface MemoryOverview {
  total: number;
  active: number;
  pinned: number;
  newest_at: string | null;
  by_type: Record<MemoryType, number>;
  by_status: Record<MemoryStatus, number>;
  by_profile: Record<string, number>;
  settings: {
    building: boolean;
    enabled: boolean;
    allowed_types: MemoryType[];
    retention_days: Partial<Record<MemoryType, number>>;
    long_term: boolean;
    onboarding_seen_at: string | null;
    erased_before: string | null;
  };
}

/**
 * What an operation did to one memory; `ref` is how people read its number, as "M-143", and `why` the mechanism that
 * found what was said: a rule, another reader of the rules, or a model with the version of its prompt.
 */
export interface ChangedMemory {
  memory_id: string;
  ref: string;
  action: string;
  why: string | null;
  message_id: string | null;
  is_doubted: boolean;
  text_before: string | null;
  text_after: string | null;
  status_before: MemoryStatus | null;
  status_after: MemoryStatus | null;
}

export interface PendingMemory {
  memory_id: string;
  ref: string;
  text: string;
}
